import { readFileSync } from 'node:fs';
import { readBundle } from '../../src/adapters/backends/bundle/index.ts';
import { templateOf } from '../../src/engines/aiops/rca/logs/template-of.ts';
import { median, mean } from '../../src/engines/aiops/rca/stats.ts';
import { windowsOf, within } from '../../src/engines/aiops/rca/windows.ts';
const shared = new Map();
const suite = process.argv[2]!; const parity = Number(process.argv[3] ?? 0); const most = Number(process.argv[4] ?? 99);
const labels = JSON.parse(readFileSync(`/work/shared/data/rca/${suite}/labels.json`, 'utf8'));
let n = 0;
for (const id of Object.keys(labels).sort()) {
  if (Number(id.slice(-3)) % 2 !== parity || n++ >= most) continue;
  const t = await readBundle(`/work/shared/data/rca/${suite}/cases/${id}`, { shared });
  const w = windowsOf(t.bundle);
  const spans = new Map(t.spans.map((s) => [s.traceId + s.spanId, s]));
  const side = (x: number) => within(x, w.baseline) ? 0 : within(x, w.incident) ? 1 : -1;
  const expo = new Map<string, [number, number]>();
  const kids = new Map<string, any[]>();
  for (const s of t.spans) { const i = side(s.start); if (i < 0) continue; const k = s.service + '|' + s.operation; const e = expo.get(k) ?? [0, 0]; e[i]++; expo.set(k, e); if (s.parentId) { const pk = s.traceId + s.parentId; kids.set(pk, [...(kids.get(pk) ?? []), s]); } }
  const cnt = new Map<string, [number, number]>(); const lev = new Map();
  let linked = 0;
  const seen = new Set<string>();
  for (const l of t.logs) {
    const i = side(l.time); if (i < 0) continue;
    const sp = spans.get(l.traceId + '' + l.spanId); if (!sp) continue; linked++;
    const key = sp.service + '|' + sp.operation + ' => ' + templateOf(l.message);
    if (seen.has(l.spanId + key)) continue; seen.add(l.spanId + key);
    const e = cnt.get(key) ?? [0, 0]; e[i]++; cnt.set(key, e); lev.set(key, l.level);
  }
  const rows = [...cnt].map(([k, [b, i]]) => { const [eb, ei] = expo.get(k.split(' => ')[0]!)!; const p = (b + i) / (eb + ei), pb = (b + 0.5) / (eb + 1), pi = (i + 0.5) / (ei + 1); const z = (pi - pb) / Math.sqrt(Math.max(p * (1 - p), 0.02) * (1 / (eb+1) + 1 / (ei+1))); return { k, b, i, eb, ei, z }; }).filter((r) => r.eb >= 4 && r.ei >= 2).sort((a, b) => Math.abs(b.z) - Math.abs(a.z));
  console.log('##', id, labels[id].root_cause, labels[id].fault, labels[id].inner, 'linked', linked, t.logs.length);
  for (const r of rows.slice(0, 6)) console.log('   ', r.z.toFixed(1), `${r.b}/${r.eb}`, `${r.i}/${r.ei}`, lev.get(r.k), r.k.slice(0, 170));
  // edge delays
  const ed = new Map<string, [number[], number[]]>(); const self = new Map<string, [number[], number[]]>();
  for (const s of t.spans) {
    const i = side(s.start); if (i < 0) continue;
    const ks = kids.get(s.traceId + s.spanId) ?? [];
    let covered = 0; let end = -1;
    for (const c of ks.sort((a, b) => a.start - b.start)) { const a = Math.max(c.start, end), b2 = c.start + c.durationMs / 1000; if (b2 > a) { covered += (b2 - a) * 1000; end = b2; } }
    const own = Math.max(0, s.durationMs - covered);
    const cross = ks.filter((c) => c.service !== s.service);
    if (ks.length === 1 && cross.length === 1) { const k = s.service + '→' + cross[0].service; const e = ed.get(k) ?? [[], []]; e[i]!.push(own); ed.set(k, e); }
    else { const k = s.service + '|' + s.operation; const e = self.get(k) ?? [[], []]; e[i]!.push(own); self.set(k, e); }
  }
  const er = [...ed].filter(([, [b, i]]) => b.length >= 3 && i.length >= 2).map(([k, [b, i]]) => ({ k, b: median(b), i: median(i), n: i.length, imp: (mean(i) - mean(b)) * i.length })).sort((a, b) => b.imp - a.imp);
  for (const r of er.slice(0, 4)) console.log('   edge', r.k, r.b.toFixed(1), r.i.toFixed(1), r.n, r.imp.toFixed(0));
  const sr = [...self].filter(([, [b, i]]) => b.length >= 3 && i.length >= 2).map(([k, [b, i]]) => ({ k, b: median(b), i: median(i), n: i.length, imp: (mean(i) - mean(b)) * i.length })).sort((a, b) => b.imp - a.imp);
  for (const r of sr.slice(0, 3)) console.log('   self', r.k, r.b.toFixed(1), r.i.toFixed(1), r.n, r.imp.toFixed(0));
}
