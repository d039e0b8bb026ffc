export const SERVICE_NAMES = ['payment-service', 'order-service', 'coupon-service'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

export const isServiceName = (name: string): name is ServiceName =>
  (SERVICE_NAMES as readonly string[]).includes(name);

/** Where each service answers, as far as it is known. */
export type Peers = Readonly<Partial<Record<ServiceName, string>>>;
