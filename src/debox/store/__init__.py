"""The results of a study on disk: Parquet parts and a manifest, of which a reader never sees half."""
