/**
 * The methods a gateway forwards without being told to: what building, sending and following a payment takes.
 */
export const FORWARDED_METHODS: readonly string[] = [
  // The ledger node interface.
  'simulateTransaction',
  'getTransaction',
  'getTokenLargestAccounts',
  'getMinimumBalanceForRentExemption',
  'getSlot',
  // What wallets and SDKs read of accounts and tokens before a transfer.
  'getAccountInfo',
  'getMultipleAccounts',
  'getBalance',
  'getTokenAccountBalance',
  'getTokenAccountsByOwner',
  'getTokenSupply',
  // How a transaction is made, sent and followed until it has landed.
  'getLatestBlockhash',
  'isBlockhashValid',
  'getFeeForMessage',
  'getRecentPrioritizationFees',
  'sendTransaction',
  'getSignatureStatuses',
  'getSignaturesForAddress',
  'getBlockHeight',
  'getEpochInfo',
  // How a client finds out whom it talks to.
  'getGenesisHash',
  'getVersion',
  'getIdentity',
  'getHealth',
];

/** Stands for every method in the list of those to forward. */
const ANY = '*';

/** What decides whether a method is forwarded: those above and `more`, in which `*` stands for all. */
export function createAllowList(more: readonly string[]): (method: string) => boolean {
  if (more.includes(ANY)) return () => true;
  const allowed = new Set([...FORWARDED_METHODS, ...more]);
  return (method) => allowed.has(method);
}

/**
 * Whether a method can be called twice without harm. By the words that Solana's reading methods begin with,
 * as gateways may be told to forward methods that are not known here; anything else may change something.
 */
export function isRepeatable(method: string): boolean {
  return /^(get|is|simulate|minimum)[A-Z]/.test(method);
}
