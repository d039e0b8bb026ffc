/** Names of services and what a backend calls them, in both directions. */
export interface ServiceNames {
  /** What the backend calls a service. */
  theirs(service: string): string;
  ours(name: string): string;
}

/** `named` has the service on the left. A name that stands nowhere is the same on both sides, without `suffix`. */
export function serviceNames(named: Readonly<Record<string, string>>, suffix = ''): ServiceNames {
  const back = new Map(Object.entries(named).map(([service, name]) => [name, service]));
  return {
    theirs: (service) =>
      Object.hasOwn(named, service) ? (named[service] ?? service) : `${service}${suffix}`,
    ours: (name) =>
      back.get(name) ??
      (suffix && name.endsWith(suffix) && name !== suffix ? name.slice(0, -suffix.length) : name),
  };
}
