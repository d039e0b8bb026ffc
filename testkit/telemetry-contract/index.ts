export { startFaultProxy } from './fault-proxy.ts';
export { describeLogsSource } from './logs-contract.ts';
export { describeMetricsSource } from './metrics-contract.ts';
export { remoteOpener } from './open-remote.ts';
export { describeRemoteTelemetry } from './remote-contract.ts';
export { type MetricSample, openMetrics, SAMPLE_METRICS } from './sample-metrics.ts';
export { SAMPLE_LINES, SAMPLE_SPANS, SAMPLE_WINDOW } from './sample-telemetry.ts';
export { hasPrometheus, type RunningPrometheus, startPrometheus } from './start-prometheus.ts';
export { describeBareFailure, describeTracesSource } from './traces-contract.ts';
