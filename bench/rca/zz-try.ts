import { readFileSync } from 'node:fs';
import { readBundle } from '../../src/adapters/backends/bundle/index.ts';
import { readMetricName } from '../../src/engines/aiops/rca/metrics/read-metric-name.ts';
import { measureChange } from '../../src/engines/aiops/rca/metrics/measure-change.ts';
import { windowsOf, valuesWithin } from '../../src/engines/aiops/rca/windows.ts';
const shared = new Map();
const suite = process.argv[2]!; const parity = Number(process.argv[3] ?? 0); const most = Number(process.argv[4] ?? 99);
const labels = JSON.parse(readFileSync(`/work/shared/data/rca/${suite}/labels.json`, 'utf8'));
let n = 0;
for (const id of Object.keys(labels).sort()) {
  if (Number(id.slice(-3)) % 2 !== parity || n++ >= most) continue;
  const t = await readBundle(`/work/shared/data/rca/${suite}/cases/${id}`, { shared });
  const w = windowsOf(t.bundle);
  const rows = t.metrics.map((s) => { const m = readMetricName(s.metric); const c = measureChange(valuesWithin(s, w.baseline), valuesWithin(s, w.incident), m.bad); return { s, m, c }; }).filter((r) => r.c).sort((a, b) => Math.abs(b.c!.sigmas) * Math.min(1,b.c!.novelty) - Math.abs(a.c!.sigmas)* Math.min(1,a.c!.novelty));
  console.log('##', id, labels[id].root_cause, labels[id].fault ?? labels[id].metric);
  for (const { s, c } of rows.slice(0, 7)) console.log('   ', s.service, s.metric, c!.before.toPrecision(4), c!.during.toPrecision(4), 'z', c!.sigmas.toFixed(1), 'nov', c!.novelty.toFixed(2));
}
