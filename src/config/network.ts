/** Addresses that begin alike. */
export interface Network {
  /** IPv4 or IPv6. */
  readonly address: string;
  /** How many bits of it count, 1 to 32 or to 128. */
  readonly prefix: number;
}
