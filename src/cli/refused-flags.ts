/**
 * Flags of solana-test-validator that mean nothing here, or nothing that can be done: why, and what to do instead. They
 * are no flags of this program, and `--help` does not show them.
 */
const REFUSED_FLAGS: ReadonlyMap<string, string> = new Map([
  [
    'clone-feature-set',
    'the virtual machine runs with the features that are active on mainnet, and no others are chosen here. Leave it out.',
  ],
  [
    'compute-unit-limit',
    'a transaction may use what it may use on Solana, up to 1,400,000 units: it asks for them with SetComputeUnitLimit. Leave it out.',
  ],
  [
    'config',
    "no configuration of Solana's CLI is read. Give the wallet with --mint and the cluster to copy from with --url.",
  ],
  [
    'deactivate-feature',
    'the virtual machine runs with the features that are active on mainnet, and none is switched off here. Leave it out.',
  ],
  [
    'deep-clone-address-lookup-table',
    'what a lookup table names is not copied along. Give the table with --clone and its addresses with --maybe-clone, or take --fork, which copies both when a transaction uses them.',
  ],
  [
    'faucet-port',
    'the faucet has no port of its own. Call requestAirdrop or requestTokenAirdrop of the ledger node, whose port is --rpc-port.',
  ],
  ['inflation-fixed', 'this ledger pays no rewards, and its inflation is zero. Leave it out.'],
  ['log', 'the log goes to stderr in any case. Leave it out; LOG_LEVEL sets how much it says, --quiet less.'],
  ['log-messages-bytes-limit', 'what programs log is kept whole, however long it is. Leave it out.'],
  [
    'slots-per-epoch',
    'an epoch has 432,000 slots, as on Solana. Leave it out; surfnet_timeTravel goes to the epoch that a test wants.',
  ],
  ['transaction-account-lock-limit', 'a transaction may lock 64 accounts, as on mainnet. Leave it out.'],
]);

/**
 * What to say of a flag that is known and cannot be had; undefined for any other.
 *
 * @param name without dashes
 */
export function refusalOf(name: string): string | undefined {
  const why = REFUSED_FLAGS.get(name);
  return why === undefined ? undefined : `--${name} cannot be had: ${why}`;
}
