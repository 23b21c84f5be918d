// The XORs of a search over time, as a picture.
import { counted, escaped } from "./dom.js";

const WIDTH = 640;
const HEIGHT = 166;
const LEFT = 48;
const BOTTOM = 24;
const TOP = 28;
const RIGHT = 84;

export const leastText = bound => `at least ${bound.toLocaleString("en")} ${bound === 1 ? "is" : "are"} needed`;

// Points are {seconds, xors} in order of time; `bound` is what no equations are below. Without points it is an empty
// picture of the same size.
export function fallingChart(points, bound) {
  if (!points.length) return `<svg class="fall" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true"></svg>`;
  const end = points.at(-1);
  const most = points[0].xors;
  const least = Math.min(bound, end.xors);
  const x = seconds => LEFT + ((WIDTH - LEFT - RIGHT) * seconds) / Math.max(end.seconds, 0.001);
  const y = xors => TOP + ((HEIGHT - TOP - BOTTOM) * (most - xors)) / Math.max(most - least, 1);
  let way = `M${x(points[0].seconds).toFixed(1)} ${y(most).toFixed(1)}`;
  for (const {seconds, xors} of points.slice(1)) way += `H${x(seconds).toFixed(1)}V${y(xors).toFixed(1)}`;
  const label = `XORs over time: from ${most} to ${end.xors} in ${end.seconds.toFixed(1)} seconds; ${leastText(bound)}`;
  return `<svg class="fall" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(label)}">
    <path class="axis" d="M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}"/>
    <path class="bound" d="M${LEFT} ${y(bound).toFixed(1)}H${WIDTH - RIGHT}"/>
    <path class="line" d="${way}"/>
    <circle class="dot" cx="${x(end.seconds).toFixed(1)}" cy="${y(end.xors).toFixed(1)}" r="4"/>
    <text x="${LEFT - 6}" y="${TOP - 14}" class="end">XORs</text>
    <text x="${LEFT - 6}" y="${y(most) + 4}" class="end">${most.toLocaleString("en")}</text>
    <text x="${x(end.seconds) + 8}" y="${y(end.xors) + 4}">${counted(end.xors, "XOR")}</text>
    <text x="${LEFT - 6}" y="${y(bound) + 4}" class="end">${bound.toLocaleString("en")}</text>
    <text x="${LEFT + 8}" y="${y(bound) - 5}">${leastText(bound)}</text>
    <text x="${WIDTH - RIGHT}" y="${HEIGHT - 6}" class="end">${end.seconds.toFixed(1)} seconds</text>
    <text x="${LEFT}" y="${HEIGHT - 6}">0</text></svg>`;
}
