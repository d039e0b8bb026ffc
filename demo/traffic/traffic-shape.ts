/** What the users of the shop do. */
export interface TrafficShape {
  /** Payments a second. */
  readonly perSecond: number;
  /** Share of payments that use a coupon, and of those, that use the one everybody talks about. */
  readonly couponShare: number;
  readonly hotCouponShare: number;
  /** Share of payments with one, two, three … items. */
  readonly items: readonly number[];
  /** Who they come through. */
  readonly clients: readonly string[];
}

export const USUAL_TRAFFIC: TrafficShape = {
  perSecond: 15,
  couponShare: 0.65,
  hotCouponShare: 0.1,
  items: [0.9, 0.1],
  clients: ['web', 'ios', 'android', 'kiosk', 'partner-north', 'partner-south'],
};
