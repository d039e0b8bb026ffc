import { HTTP_FAILED, HTTP_LISTED, type Outcome, type RequestInstrument } from './instrument.ts';

const HTTP: Outcome = {
  labels: ['http_response_status_code', 'http_status_code', 'status_code', 'code', 'status', 'response_code'],
  failed: HTTP_FAILED,
  listed: HTTP_LISTED,
};
/** As OpenTelemetry has it, a call without a code is one that got no answer: the empty pattern matches it. */
const HTTP_CALLED: Outcome = { ...HTTP, failed: `${HTTP_FAILED}|`, listed: `${HTTP_LISTED}|` };
/** Names as gRPC libraries and semantic conventions write them, and numbers. */
const RPC: Outcome = {
  labels: ['rpc_response_status_code', 'rpc_grpc_status_code', 'grpc_code', 'grpc_status', 'code'],
  // What only a caller did wrong is left out.
  failed:
    '(?i:unknown|deadline_?exceeded|resource_?exhausted|internal|unavailable|data_?loss|aborted)|2|4|8|10|13|14|15',
  listed:
    '(?i:cancell?ed|unknown|invalid_?argument|deadline_?exceeded|not_?found|already_?exists|permission_?denied|resource_?exhausted|failed_?precondition|aborted|out_?of_?range|unimplemented|internal|unavailable|data_?loss|unauthenticated)|[1-9]|1[0-6]',
};
const SPANS: Outcome = {
  labels: ['status_code'],
  failed: 'STATUS_CODE_ERROR|Error',
};
const PEERS = [
  'peer_service',
  'peer',
  'server_address',
  'net_peer_name',
  'http_host',
  'destination',
  'client_name',
];
const DATABASES = [
  'peer_service',
  'server_address',
  'net_peer_name',
  'db_namespace',
  'target',
  'db_system_name',
  'db_system',
];

const served = (family: string, more: Partial<RequestInstrument> = {}): RequestInstrument => ({
  kind: 'requests',
  shape: 'duration',
  family,
  unit: 'seconds',
  side: 'server',
  outcome: HTTP,
  ...more,
});
const called = (family: string, more: Partial<RequestInstrument> = {}): RequestInstrument =>
  served(family, { side: 'client', peers: PEERS, ...more });
const MS = { unit: 'milliseconds' } as const;
const COUNTER = { shape: 'counter' } as const;

const OPENTELEMETRY: readonly RequestInstrument[] = [
  served('http_server_request_duration_seconds'),
  served('http_server_duration_milliseconds', MS),
  served('rpc_server_call_duration_seconds', { outcome: RPC, prefix: 'rpc_' }),
  served('rpc_server_duration_milliseconds', { ...MS, outcome: RPC, prefix: 'rpc_' }),
  called('http_client_request_duration_seconds', { outcome: HTTP_CALLED }),
  called('http_client_duration_milliseconds', { ...MS, outcome: HTTP_CALLED }),
  called('rpc_client_call_duration_seconds', { outcome: RPC, prefix: 'rpc_' }),
  called('rpc_client_duration_milliseconds', { ...MS, outcome: RPC, prefix: 'rpc_' }),
  called('db_client_operation_duration_seconds', {
    peers: DATABASES,
    outcome: { labels: ['error_type', 'error'], failed: '.+' },
    prefix: 'db_',
  }),
];

/** What client libraries and frameworks give by default. */
const LIBRARIES: readonly RequestInstrument[] = [
  served('http_server_requests_seconds'),
  served('http_request_duration_seconds'),
  served('http_request_duration_milliseconds', MS),
  served('flask_http_request_duration_seconds'),
  served('http_requests_total', COUNTER),
  served('http_server_requests_total', COUNTER),
  served('grpc_server_handling_seconds', { outcome: RPC, prefix: 'rpc_' }),
  served('grpc_server_handled_total', { ...COUNTER, outcome: RPC, prefix: 'rpc_' }),
  called('http_client_requests_seconds', { peers: ['client_name', ...PEERS] }),
  called('grpc_client_handling_seconds', { outcome: RPC, prefix: 'rpc_' }),
];

const ISTIO_TO = [
  'destination_canonical_service',
  'destination_service_name',
  'destination_app',
  'destination_workload',
];
const ISTIO_FROM = ['source_canonical_service', 'source_app', 'source_workload'];
const ISTIO_VERSIONS = ['destination_version', 'destination_canonical_revision'];
const AT_SERVER = { where: 'reporter="destination"', services: ISTIO_TO, versions: ISTIO_VERSIONS };
const AT_CLIENT = { where: 'reporter="source"', services: ISTIO_FROM, peers: ISTIO_TO };
const LINKERD = {
  services: ['deployment', 'statefulset', 'daemonset'],
  outcome: { labels: ['classification'], failed: 'failure' },
};

/** Meshes, gateways and what tracing backends derive from spans. They see the requests that services count too. */
const BESIDE: readonly RequestInstrument[] = [
  served('istio_request_duration_milliseconds', { ...MS, ...AT_SERVER }),
  served('istio_requests_total', { ...COUNTER, ...AT_SERVER }),
  called('istio_request_duration_milliseconds', { ...MS, ...AT_CLIENT }),
  called('istio_requests_total', { ...COUNTER, ...AT_CLIENT }),
  served('response_latency_ms', { ...MS, ...LINKERD, where: 'direction="inbound"' }),
  served('traefik_service_request_duration_seconds'),
  served('nginx_ingress_controller_request_duration_seconds', { services: ['exported_service', 'service'] }),
  served('traces_span_metrics_duration_milliseconds', {
    ...MS,
    outcome: SPANS,
    where: 'span_kind="SPAN_KIND_SERVER"',
  }),
  served('traces_spanmetrics_latency', { outcome: SPANS, where: 'span_kind="SPAN_KIND_SERVER"' }),
  called('traces_service_graph_request_server_seconds', { services: ['client'], peers: ['server'] }),
  called('traces_service_graph_request_total', {
    ...COUNTER,
    services: ['client'],
    peers: ['server'],
    failedFamily: 'traces_service_graph_request_failed_total',
  }),
];

export const REQUEST_INSTRUMENTS: readonly RequestInstrument[] = [...OPENTELEMETRY, ...LIBRARIES, ...BESIDE];
