/** The share that is at least so high, but for one in twenty, where so many of so many were right (Clopper and Pearson). */
export function lowerBound(hits: number, of: number): number {
  let [low, high] = [0, hits / of];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (upperTail(hits, of, middle) < ONE_IN_TWENTY) low = middle;
    else high = middle;
  }
  return low;
}

const ONE_IN_TWENTY = 0.05;
const STEPS = 40;

/** The chance of as many hits or more. */
function upperTail(hits: number, of: number, rate: number): number {
  let [tail, choose] = [0, 0];
  for (let count = of; count >= hits; count--) {
    if (count < of) choose += Math.log(count + 1) - Math.log(of - count);
    tail += Math.exp(choose + count * Math.log(rate) + (of - count) * Math.log1p(-rate));
  }
  return tail;
}
