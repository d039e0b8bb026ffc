/** Quiet, dense, readable on paper. Colour stands for state and for lines of charts only. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --dim: #60646c; --rule: #d9dadf; --page: #fff; --soft: #f6f7f8;
  --s0: #0b68cb; --s1: #c2410c; --s2: #15803d; --s3: #7e22ce; --bad: #d33; --good: #1a7f37; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e7ea; --dim: #a0a4ac; --rule: #34373d; --page: #121316; --soft: #1b1d21;
  --s0: #6ab0ff; --s1: #ff9a5c; --s2: #66d48a; --s3: #c79bff; --bad: #ff6b6b; --good: #5bd07f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 14px/1.5 system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", sans-serif; }
main { max-width: 980px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 22px; line-height: 1.3; margin: 0 0 16px; overflow-wrap: anywhere; }
h2 { font-size: 17px; margin: 36px 0 10px; padding-top: 12px; border-top: 1px solid var(--rule); }
h3 { font-size: 14px; margin: 22px 0 8px; }
p { margin: 8px 0; white-space: pre-line; overflow-wrap: anywhere; }
.note { color: var(--dim); border-left: 3px solid var(--rule); padding-left: 10px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 5px 10px 5px 0; border-bottom: 1px solid var(--rule); overflow-wrap: break-word; min-width: 3em; max-width: 34em; }
td:first-child code { white-space: nowrap; }
th { color: var(--dim); font-weight: 500; }
.pairs td:first-child { color: var(--dim); width: 12em; }
.number { text-align: right; white-space: nowrap; }
code, pre { font: 12px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
code { background: var(--soft); padding: 1px 4px; border-radius: 3px; overflow-wrap: anywhere; }
pre { background: var(--soft); padding: 12px; overflow-x: auto; border: 1px solid var(--rule); }
.added { color: var(--good); } .removed { color: var(--bad); } .place { color: var(--dim); }
a { color: var(--s0); }
figure { margin: 14px 0; }
.chart { width: 100%; height: auto; color: var(--dim); }
.chart .title { fill: var(--ink); }
.chart .s0 { stroke: var(--s0); } .chart .s1 { stroke: var(--s1); } .chart .s2 { stroke: var(--s2); } .chart .s3 { stroke: var(--s3); }
.chart .dot { stroke: none; } .chart .dot.s0 { fill: var(--s0); } .chart .dot.s1 { fill: var(--s1); } .chart .dot.s2 { fill: var(--s2); } .chart .dot.s3 { fill: var(--s3); }
.chart .window { fill: var(--bad); }
.chart .marker { color: var(--ink); }
@media print { main { max-width: none; padding: 0; } body { font-size: 11px; } figure, tr, pre { break-inside: avoid; } h2, h3 { break-after: avoid; } .scroll { overflow: visible; } }
`;
