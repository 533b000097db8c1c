// The study that the page holds: a header, and how many trials of every run were infeasible.

/** Bytes of base64 text that hold a gzip stream, unpacked. */
export async function gunzip(base64) {
  const packed = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Whole numbers whose lowest bytes come first, then all second bytes, and so on. */
export function fromPlanes(bytes, width) {
  const size = bytes.length / width, numbers = new Float64Array(size);
  for (let plane = width - 1; plane >= 0; plane--) {
    for (let k = 0; k < size; k++) numbers[k] = numbers[k] * 256 + bytes[plane * size + k];
  }
  return numbers;
}

/** The counts at each mark from their second differences, which are written as 0, -1, 1, -2, 2, ...; in place */
export function fromBends(bends, marks) {
  const size = bends.length / marks;
  for (let k = 0; k < bends.length; k++) {
    const written = bends[k], second = written % 2 ? -(written + 1) / 2 : written / 2;
    bends[k] = second + (k >= size ? 2 * bends[k - size] : 0) - (k >= 2 * size ? bends[k - 2 * size] : 0);
  }
  return bends;
}

/** A stored study: `axes` holds the values of each factor, cells are numbered with the last one, Cr, changing first. */
export class StoredStudy {
  constructor(header, bytes) {
    Object.assign(this, header);
    this.factors = Object.keys(header.axes); // the adaptation among them if runs differ in it
    this.sizes = this.factors.map((name) => header.axes[name].length);
    this.cells = this.sizes.reduce((a, b) => a * b, 1);
    this.starts = new Int32Array(this.cells + 1);
    for (let cell = 0; cell < this.cells; cell++) {
      this.starts[cell + 1] = this.starts[cell] + (Array.isArray(header.runs) ? header.runs[cell] : header.runs);
    }
    const counts = fromBends(fromPlanes(bytes, header.bytes), header.marks.length), size = this.starts[this.cells];
    this.counts = header.marks.map((_, mark) => counts.subarray(mark * size, (mark + 1) * size));
  }

  /** The number of the cell with these values of the factors; -1 if it is not of the study. */
  cellOf(values) {
    let cell = 0;
    for (let k = 0; k < this.factors.length; k++) {
      const place = this.axes[this.factors[k]].indexOf(values[this.factors[k]]);
      if (place < 0) return -1;
      cell = cell * this.sizes[k] + place;
    }
    return cell;
  }

  /** The values of the factors of a cell. */
  valuesOf(cell) {
    const values = Object.fromEntries(this.factors.map((name) => [name, null])); // in this order
    for (let k = this.factors.length - 1; k >= 0; k--) {
      values[this.factors[k]] = this.axes[this.factors[k]][cell % this.sizes[k]];
      cell = Math.floor(cell / this.sizes[k]);
    }
    return values;
  }

  /** The infeasible trials of each run of a cell, at the end or at another mark. */
  infeasible(cell, mark = this.marks.length - 1) {
    return this.counts[mark].subarray(this.starts[cell], this.starts[cell + 1]);
  }

  /** POIS of each run of a cell. */
  pois(cell) {
    return this.infeasible(cell).map((count) => count / this.budget);
  }
}

/** The study in the page's elements `header` and `counts`. */
export async function readStudy(root) {
  const header = JSON.parse(root.getElementById("header").textContent);
  return new StoredStudy(header, await gunzip(root.getElementById("counts").textContent));
}
