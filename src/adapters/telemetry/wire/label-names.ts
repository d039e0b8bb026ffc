/** Labels that name the service, the most telling first. */
export const SERVICE_LABELS: readonly string[] = [
  'service_name',
  'exported_service',
  'service',
  'application',
  'app_kubernetes_io_name',
  'app',
  'exported_job',
  'job',
];

export const VERSION_LABELS: readonly string[] = [
  'service_version',
  'version',
  'app_version',
  'app_kubernetes_io_version',
  'release',
];

/** `10.1.2.3:8080` names nobody; `payment.shop.svc.cluster.local:8080` is `payment`. */
export function serviceOfAddress(address: string): string | undefined {
  const host = address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/[:/].*$/, '');
  if (host === '' || host === 'unknown' || host === 'localhost' || /^\d+(?:\.\d+){3}$/.test(host))
    return undefined;
  return /\.(?:svc|cluster|local|internal)(?:\.|$)/.test(host) ? host.split('.', 1)[0] : host;
}
