/** CAIP-2 ids of the networks. Stock clients support no others, so a localnet uses the id of mainnet. */
export const CAIP2 = {
  mainnet: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  devnet: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
} as const;
