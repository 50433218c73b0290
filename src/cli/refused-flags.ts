/**
 * Flags of solana-test-validator that mean nothing here, or nothing that can be done, and one that would be
 * taken for the slip of another: why, and what to do instead. They are no flags of this program, and
 * `--help` does not show them.
 */
const REFUSED_FLAGS: ReadonlyMap<string, string> = new Map([
  [
    'faucet-port',
    'no client asks a faucet but by RPC, and a port that signs for whoever connects would only be one more. Call requestAirdrop or requestTokenAirdrop of the ledger node, whose port is --rpc-port.',
  ],
  [
    'inflation-fixed',
    'rewards are what a bank pays its stakers at the end of an epoch, and the virtual machine has none: the rate is zero, and another one would be shown and never paid. Leave it out.',
  ],
  [
    'port',
    'it does not say which of three ports is meant. Set PORT for that of the tool service, LEDGER_RPC_PORT or --rpc-port for the ledger node, ROLLUP_RPC_PORT for the rollup.',
  ],
  ['rpc-pubsub-enable-block-subscription', 'blockSubscribe is served in any case. Leave it out.'],
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
