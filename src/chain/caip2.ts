/** CAIP-2 ids of the networks. Stock clients know no other, so a localnet answers to mainnet's. */
export const CAIP2 = {
  mainnet: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  devnet: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
} as const;
