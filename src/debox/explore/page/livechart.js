// The histogram of the live view: runs so far before what is stored.

import { configName } from "./address.js";
import { barClass, bars, countAxis, markLine, plate, poisAxis } from "./chart.js";
import { svg } from "./dom.js";
import { impossible } from "./liveconfig.js";
import { colourClass, histogram } from "./summary.js";
import { exactStart } from "./theory.js";

const SIZES = { wide: { width: 520, height: 318, left: 40, top: 26, plot: 466, tall: 250 }, // texts are of one size on any screen
  narrow: { width: 366, height: 268, left: 32, top: 26, plot: 324, tall: 200 } };

/** Runs of a configuration in colour, and those stored in grey behind; both as shares, the axis counts the former */
export function drawLive(config, pois, stored) {
  const { width, height, left, top, plot, tall } = innerWidth < 640 ? SIZES.narrow : SIZES.wide, counts = histogram(pois), grey = histogram(stored);
  const share = (all) => all.map((count) => count / Math.max(1, all.reduce((a, b) => a + b, 0)));
  const runs = Math.max(1, pois.length || stored.length), highest = Math.ceil(Math.max(0.2, ...share(counts), ...share(grey)) * runs - 1e-9);
  const most = highest / runs, start = impossible(config) ? NaN : exactStart(config);
  const name = configName(config.adaptation === "fixed" ? { ...config, adaptation: "" } : config);
  const label = pois.length ? `${pois.length} runs` : `${stored.length} stored runs`;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "live-picture", "aria-label": `Histogram of POIS of ${label} of ${name}` },
    plate(left, top, plot, tall),
    stored.length ? bars(share(grey), most, left, top, plot, tall, "bar-stored") : null,
    bars(share(counts), most, left, top, plot, tall, barClass(pois.length ? colourClass(pois) : ""), 9),
    countAxis(left, top, tall, highest), poisAxis(left, plot, top + tall, "POIS of a run"),
    Number.isNaN(start) ? null : markLine(start, "generation 1, exactly", left, top, plot, tall));
}
