import { describe, expect, it } from 'vitest';
import { runOperation } from '../../test/run-operation.ts';
import { Clusters } from '../chain/clusters.ts';
import { readConfig } from '../config/config.ts';
import { walletAccount } from '../ledger/genesis/genesis.ts';
import { Keypair } from '../ledger/keypair.ts';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import { createDeposit } from '../payments/deposit.ts';
import { systemRandom } from '../ports/random.ts';
import { LOCALNET_VALIDATOR } from '../programs/addresses.ts';
import { deriveValidatorFeesVault } from '../programs/delegation/pdas.ts';
import { type LedgerNode, openLedgerNode } from './ledger-node.ts';
import { NOTHING_PROVIDED } from './provision-options.ts';
import { nodeContext } from './testing/node-context.ts';

const SOL = 1_000_000_000n;

/** Opens the node of a folder, gives it to `look` and closes it. */
async function visit(
  folder: string,
  rollup: 'embedded' | 'external' | 'off',
  look: (node: LedgerNode) => Promise<void> | void,
  provision = NOTHING_PROVIDED,
): Promise<void> {
  const external = rollup === 'external' ? { EPHEMERAL_RPC_URL: 'http://127.0.0.1:9' } : {};
  const config = readConfig({ DATA_DIR: folder, ROLLUP: rollup, ...external });
  const node = await openLedgerNode(nodeContext(config), { reset: false, provision, endpoint: null });
  try {
    await look(node);
  } finally {
    await node.close();
  }
}

const lamportsOf = ({ ledger }: LedgerNode): bigint => ledger.getAccount(LOCALNET_VALIDATOR)?.lamports ?? 0n;
const isAdmitted = ({ ledger }: LedgerNode): boolean =>
  ledger.getAccount(deriveValidatorFeesVault(LOCALNET_VALIDATOR).address) !== null;

/** Codes of the warnings of a deposit that is delegated to the public validator. */
async function warningsOfDeposit(node: LedgerNode): Promise<unknown> {
  const wallet = new Keypair(new Uint8Array(32).fill(7)).address;
  await node.ledger.airdrop(wallet, SOL);
  await node.ledger.airdropTokens(wallet, node.chainWith(null).defaultMint, 5n);
  const deposit = createDeposit({ clusters: new Clusters([node.chainWith(null)]), random: systemRandom });
  const { output } = await runOperation(deposit, { owner: wallet, amount: 1, validator: LOCALNET_VALIDATOR });
  return output.warnings?.map(({ code }) => code) ?? [];
}

describe('the public validator, whose key is public,', () => {
  it('is not admitted with the embedded rollup, and a deposit for it gets a warning', async () => {
    await visit(temporaryFolder(), 'embedded', async (node) => {
      expect(isAdmitted(node)).toBe(false);
      expect(lamportsOf(node)).toBe(0n);
      expect(await warningsOfDeposit(node)).toEqual(['VALIDATOR_NOT_ADMITTED']);
      await node.ledger.resetLedger();
      expect(isAdmitted(node)).toBe(false);
    });
  });

  it.each(['external', 'off'] as const)('is admitted with ROLLUP=%s', async (rollup) => {
    await visit(temporaryFolder(), rollup, async (node) => {
      expect(isAdmitted(node)).toBe(true);
      expect(lamportsOf(node)).toBeGreaterThanOrEqual(5n * SOL);
      expect(await warningsOfDeposit(node)).toEqual([]);
    });
  });

  it('is admitted on an existing ledger that had an embedded rollup', async () => {
    const folder = temporaryFolder();
    await visit(folder, 'embedded', () => undefined);
    await visit(folder, 'external', async (node) => {
      expect(isAdmitted(node)).toBe(true);
      expect(lamportsOf(node)).toBeGreaterThanOrEqual(5n * SOL);
      await node.ledger.setAccounts([[LOCALNET_VALIDATOR, walletAccount(5n * SOL - 1n)]]);
    });
    await visit(folder, 'off', (node) => expect(lamportsOf(node)).toBeGreaterThanOrEqual(5n * SOL));
  });

  it('is unused on a ledger without the programs of private payments', async () => {
    await visit(temporaryFolder(), 'off', (node) => expect(isAdmitted(node)).toBe(false), {
      ...NOTHING_PROVIDED,
      genesisPrograms: false,
    });
  });
});
