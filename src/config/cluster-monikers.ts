/** Names of clusters, the Solana CLI's and `mainnet`, and their public RPC. */
export const CLUSTER_MONIKERS: Readonly<Record<string, string>> = {
  m: 'https://api.mainnet-beta.solana.com',
  'mainnet-beta': 'https://api.mainnet-beta.solana.com',
  mainnet: 'https://api.mainnet-beta.solana.com',
  d: 'https://api.devnet.solana.com',
  devnet: 'https://api.devnet.solana.com',
  t: 'https://api.testnet.solana.com',
  testnet: 'https://api.testnet.solana.com',
  l: 'http://localhost:8899',
  localhost: 'http://localhost:8899',
};
