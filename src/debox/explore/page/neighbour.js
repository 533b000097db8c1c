// What the study has stored beside a configuration of the live view.

import { STRATEGIES } from "./strategies.js";

// Settings that make no difference but to these of the page's strategies.
const MINDING = { reevaluate: ["dismiss"], repair: ["conservatism", "project-midpoint", "project-base", "resample"] };

/** Are the study's runs those of this configuration but for F and Cr, or of other settings? */
export function comparable(study, config) {
  const { donors = "distinct", adaptation = "fixed", ...others } = study.settings;
  if (!study.axes?.adaptation && adaptation !== (config.adaptation ?? "fixed")) return false;
  const left = Object.keys(others).filter((name) =>
    !Object.hasOwn(MINDING, name) || !Object.hasOwn(STRATEGIES, config.strategy) || MINDING[name].includes(config.strategy));
  return !left.length && donors === config.donors && config.n === study.dimension && config.budget === study.budget;
}

/** The stored cell that is shown behind: the same, or the one nearest in F and Cr; null if nothing is comparable */
export function neighbour(study, config) {
  if (!comparable(study, config)) return null;
  const nearest = (name) => study.axes[name].reduce((a, b) => (Math.abs(b - config[name]) < Math.abs(a - config[name]) ? b : a));
  const values = { ...config, F: nearest("F"), Cr: nearest("Cr") }, cell = study.cellOf(values);
  return cell >= 0 && study.pois(cell).length ? { cell, same: values.F === config.F && values.Cr === config.Cr, values } : null;
}

/** All F and Cr of which runs are stored that are comparable, with their medians */
export function storedPoints(study, config) {
  if (!comparable(study, config)) return [];
  return study.axes.F.flatMap((F) => study.axes.Cr.flatMap((Cr) => {
    const cell = study.cellOf({ ...config, F, Cr });
    return cell >= 0 && study.summary(cell).runs ? [{ F, Cr, ...study.summary(cell) }] : [];
  }));
}
