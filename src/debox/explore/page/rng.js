// Random numbers: a stream for each run, addressed by (seed, run), with uniform, normal and binomial numbers.

const BUFFER = 256; // uniform numbers made at a time: the state stays in registers meanwhile
const TWO_PI = 2 * Math.PI;

/** xoshiro128** (Blackman & Vigna 2018): 32 random bits; changes the four words of the state in place. */
export function nextBits(state) {
  let [a, b, c, d] = state;
  const product = Math.imul(b, 5);
  const bits = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
  const t = b << 9;
  c ^= a; d ^= b; b ^= c; a ^= d; c ^= t;
  d = (d << 11) | (d >>> 21);
  state[0] = a; state[1] = b; state[2] = c; state[3] = d;
  return bits;
}

/** A word in which every bit depends on every bit of the given one (the finaliser of MurmurHash3). */
export function mixBits(word) {
  word ^= word >>> 16;
  word = Math.imul(word, 0x85ebca6b);
  word ^= word >>> 13;
  word = Math.imul(word, 0xc2b2ae35);
  return word ^ (word >>> 16);
}

/** The state from which the stream of a run starts; seed and run are whole numbers from 0 to 2^32 - 1. */
export function streamState(seed, run) {
  const state = new Int32Array(4);
  let word = mixBits(seed + 1);
  for (let k = 0; k < 4; k++) {
    word = mixBits(word + 0x9e3779b9 + (k % 2 ? seed : run));
    state[k] = word;
  }
  if (!(state[0] | state[1] | state[2] | state[3])) state[0] = 1; // the one state that the generator never leaves
  return state;
}

/** A stream of random numbers. */
export class Random {
  constructor(seed, run = 0) {
    this.state = streamState(seed, run);
    this.buffer = new Float64Array(BUFFER);
    this.used = BUFFER;
  }

  /** U in [0, 1): a multiple of 2^-53, made of 27 + 26 bits. */
  random() {
    if (this.used === BUFFER) this.refill();
    return this.buffer[this.used++];
  }

  /** Uniform numbers for a while: `nextBits`, written out with the state in local variables. */
  refill() {
    const { state, buffer } = this;
    let a = state[0], b = state[1], c = state[2], d = state[3], high = 0;
    for (let k = 0; k < 2 * BUFFER; k++) {
      const product = Math.imul(b, 5);
      const bits = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
      const t = b << 9;
      c ^= a; d ^= b; b ^= c; a ^= d; c ^= t;
      d = (d << 11) | (d >>> 21);
      if (k % 2) buffer[k >> 1] = (high * 67108864 + (bits >>> 6)) / 9007199254740992;
      else high = bits >>> 5;
    }
    state[0] = a; state[1] = b; state[2] = c; state[3] = d;
    this.used = 0;
  }

  /** N(0, 1), by Box and Muller's formula. */
  normal() {
    return Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(TWO_PI * this.random());
  }

  /** Binomial(n, p), by inversion: probabilities are taken from U, the largest first, then alternately on both sides. */
  binomial(n, p) {
    if (n <= 0 || p <= 0) return 0;
    if (p >= 1) return n;
    const mode = Math.min(n, Math.floor((n + 1) * p)), odds = p / (1 - p);
    let left = this.random() - binomialChance(mode, n, p);
    let below = mode, above = mode, chanceBelow = binomialChance(mode, n, p), chanceAbove = chanceBelow;
    while (left >= 0) {
      if (above < n) {
        chanceAbove *= ((n - above) / (above + 1)) * odds;
        above += 1;
        left -= chanceAbove;
        if (left < 0) return above;
      }
      if (below > 0) {
        chanceBelow *= below / ((n - below + 1) * odds);
        below -= 1;
        left -= chanceBelow;
        if (left < 0) return below;
      }
      if (chanceAbove + chanceBelow < 1e-300 || (above === n && below === 0)) break; // U is within rounding of 1
    }
    return mode;
  }
}

/** P(Binomial(n, p) = x) for 0 < p < 1, to nearly all digits (Loader 2000, the saddle-point expansion). */
export function binomialChance(x, n, p) {
  if (x === 0) return Math.exp(n * Math.log1p(-p));
  if (x === n) return Math.exp(n * Math.log(p));
  const corrections = stirlingError(n) - stirlingError(x) - stirlingError(n - x);
  const exponent = corrections - deviance(x, n * p) - deviance(n - x, n * (1 - p));
  return Math.exp(exponent) * Math.sqrt(n / (TWO_PI * x * (n - x)));
}

/** log n! - log(sqrt(2 pi n) (n/e)^n) */
export function stirlingError(n) {
  if (n > 15) {
    const s = n * n;
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / s) / s) / s) / s) / n;
  }
  let logFactorial = 0;
  for (let k = 2; k <= n; k++) logFactorial += Math.log(k);
  return logFactorial - (n + 0.5) * Math.log(n) + n - 0.5 * Math.log(TWO_PI);
}

/** x log(x/m) + m - x, without cancellation where x is near m */
export function deviance(x, m) {
  if (Math.abs(x - m) >= 0.1 * (x + m)) return x * Math.log(x / m) + m - x;
  const v = (x - m) / (x + m);
  let sum = (x - m) * v, term = 2 * x * v;
  for (let j = 1; j < 1000; j++) {
    term *= v * v;
    const next = sum + term / (2 * j + 1);
    if (next === sum) break;
    sum = next;
  }
  return sum;
}
