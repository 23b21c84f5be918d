// Which pictures are not drawn, as they would have too much in them. Each function returns the sentence that says why
// there is no SVG, or nothing.
import { counted } from "./dom.js";
import { operandsOf } from "./equation_list.js";

let bounds = null; // what the module says of its pictures

export async function startPictureBounds(compiler) {
  bounds = await compiler.json({ask: "bounds"});
}

const sentence = (number, what, most) => (number > most ? `No SVG: ${counted(number, what)} are more than the ${most.toLocaleString("en")} of a picture.` : "");

// Of equations as a graph, and of their plan if there is one. The JSON has all of them.
export function noGraph({equations, inputs, plan}) {
  const operands = equations.reduce((sum, one) => sum + operandsOf(one).length, 0);
  const tooMany = sentence(operands, "operand", bounds.graph_operands) ||
    sentence(inputs.length + equations.length, "input and equation", bounds.graph_nodes) ||
    sentence(plan?.steps.length ?? 0, "XOR of a plan", bounds.plan_xors);
  return tooMany && `${tooMany} The JSON has all of them.`;
}

export const noMatrixPicture = ({inputs, outputs}) =>
  sentence(outputs.length, "row", bounds.matrix_side) || sentence(inputs.length, "column", bounds.matrix_side);

// Of chunks side by side, with rows or cells in each.
export const noGridPicture = (chunks, rows) => sentence(chunks, "chunk", bounds.grid_columns) || sentence(rows, "row", bounds.grid_rows);
