"""Why does POIS fall at the largest Cr? Interventions in how a population evolves, and sweeps of its settings."""
