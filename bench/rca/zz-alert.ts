import { readFileSync } from 'node:fs';
import { readBundle } from '../../src/adapters/backends/bundle/index.ts';
import { serviceImpacts, nameSeries } from '../../src/engines/aiops/rca/metrics/service-impact.ts';
import { weighImpact, worstStretch } from '../../src/engines/aiops/rca/metrics/weigh-impact.ts';
import { callGraph } from '../../src/engines/aiops/rca/call-graph.ts';
import { windowsOf } from '../../src/engines/aiops/rca/windows.ts';
const shared = new Map();
for (const suite of ['petshop', 'petshop-quiet']) {
const labels = JSON.parse(readFileSync(`/work/shared/data/rca/${suite}/labels.json`, 'utf8'));
for (const id of Object.keys(labels).sort()) {
  if (Number(id.slice(-3)) % 2) continue;
  const t = await readBundle(`/work/shared/data/rca/${suite}/cases/${id}`, { shared });
  const w = windowsOf(t.bundle);
  const graph = callGraph(t.topology, t.spans);
  const kind = t.bundle.metric!.startsWith('lat') ? 'latency' : 'errors';
  const imps = serviceImpacts(nameSeries(t.metrics), w).filter((i) => i.kind === kind);
  const alert = imps.find((i) => i.service === t.bundle.service); 
  if (!alert) { console.log(id, 'none'); continue; }
  const st = worstStretch(alert, w)!;
  const ws = new Map(imps.filter((i) => graph.reach(t.bundle.service!).has(i.service)).map((i) => [i.service, weighImpact(i, st, w)]));
  const rows = [...ws].filter(([, x]) => x).map(([s, x]) => ({ s, x: x!, own: x!.harm - Math.max(0, ...[...(graph.callees.get(s) ?? [])].map((c) => ws.get(c)?.harm ?? 0)) })).sort((a, b) => b.own - a.own);
  const a = ws.get(t.bundle.service!)!;
  console.log('##', id, labels[id].root_cause, kind, 'alert', t.bundle.service!.slice(0, 30), a && [a.before.toPrecision(3), a.during.toPrecision(3), 'z', a.sigmas.toFixed(1), 'nov', a.novelty.toFixed(2), 'harm', a.harm.toFixed(0)].join(' '));
  for (const r of rows.slice(0, 3)) console.log('    ', r.s, 'own', r.own.toFixed(1), 'z', r.x.sigmas.toFixed(1), 'nov', r.x.novelty.toFixed(2), r.x.before.toPrecision(3), r.x.during.toPrecision(3), r.x.requests);
}}
