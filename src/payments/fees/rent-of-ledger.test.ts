import { describe, expect, it, onTestFinished } from 'vitest';
import type { Layout } from '../../chain/chain.ts';
import { Clusters } from '../../chain/clusters.ts';
import { localGenesis, networkProgramsGenesis } from '../../ledger/genesis/genesis.ts';
import { Keypair } from '../../ledger/keypair.ts';
import { LedgerChain } from '../../ledger/ledger-chain.ts';
import { LAYOUT_B_FOLDER, layoutBDumps } from '../../ledger/network-programs/testing/layout-b-dumps.ts';
import { Provisioner } from '../../ledger/provision/provisioner.ts';
import { EMPTY_PROVISION, USUAL_SHAPE } from '../../ledger/provision/testing/empty-provision.ts';
import { openTestLedger, type TestLedger } from '../../ledger/testing/test-ledger.ts';
import { LOCALNET_VALIDATOR, USDC_MINT } from '../../programs/addresses.ts';
import { RENT_SYSVAR } from '../../programs/sysvars.ts';
import { signBuilt } from '../../rollup/testing/payment-scene.ts';
import type { Account } from '../../solana/account.ts';
import { createDeposit } from '../deposit.ts';
import { createExplainTransaction } from '../explain-transaction.ts';
import { readTransactionText } from '../fields/transaction-field.ts';
import { createInitializeMint } from '../initialize-mint.ts';
import { ANONYMOUS, type Operation } from '../operation.ts';
import { createTransfer } from '../transfer.ts';

/** A new ledger whose clients are asked for this rent. */
async function openWith(rentPerByte: bigint, layout: Layout): Promise<TestLedger> {
  const provision = { ...EMPTY_PROVISION, shape: { ...USUAL_SHAPE, rentPerByte } };
  const genesis = layout === 'a' ? localGenesis() : networkProgramsGenesis(layoutBDumps());
  return await openTestLedger({ genesis: new Provisioner(provision, genesis).genesis() });
}

const stranger = new Keypair(new Uint8Array(32).fill(9)).address;
const mint = USDC_MINT;

const OPERATIONS: readonly [string, Layout, (deps: never) => Operation, (wallet: string) => object][] = [
  ['deposit', 'a', createDeposit as never, (owner) => ({ owner, mint, amount: 1_000 })],
  [
    'public transfer',
    'a',
    createTransfer as never,
    (from) => ({ from, to: stranger, mint, amount: 1, visibility: 'public', initRecipientAta: true }),
  ],
  ['initializeMint', 'b', createInitializeMint as never, (payer) => ({ payer, mint })],
  ['deposit', 'b', createDeposit as never, (owner) => ({ owner, mint, amount: 1_000 })],
  [
    'private transfer',
    'b',
    createTransfer as never,
    (from) => ({ from, to: stranger, mint, amount: 1_000_000, visibility: 'private' }),
  ],
];

describe.each([696n, 5_080n, 6_960n, 13_920n])(
  'on a ledger with a rent of %d lamports a byte',
  (rentPerByte) => {
    const usable = OPERATIONS.filter(([, layout]) => layout === 'a' || LAYOUT_B_FOLDER !== null);

    it.each(usable)(
      '%s (layout %s) costs the reported amount, to the lamport',
      async (name, layout, create, argsOf) => {
        const stack = await openWith(rentPerByte, layout);
        onTestFinished(() => stack.ledger.close());
        const wallet = await stack.fundedWallet();
        await stack.ledger.airdropTokens(wallet.address, mint, 5_000_000n);
        const chain = new LedgerChain('localnet', stack.ledger, LOCALNET_VALIDATOR, null, { layout });
        const clusters = new Clusters([chain]);
        const deps = { clusters, random: stack.random };
        if (layout === 'b' && name !== 'initializeMint') {
          const other = await stack.fundedWallet();
          const setUp = createInitializeMint(deps);
          const { output } = await setUp.run(setUp.input.parse({ payer: other.address, mint }), ANONYMOUS);
          const built = readTransactionText(signBuilt(other, output.transactionBase64));
          expect((await stack.ledger.submit(built)).err).toBeNull();
        }
        const operation = create(deps as never);
        const build = async () =>
          (await operation.run(operation.input.parse(argsOf(wallet.address)), ANONYMOUS)).output as {
            transactionBase64: string;
            warnings?: { code: string }[];
          };

        const { transactionBase64 } = await build();
        const explain = createExplainTransaction({ clusters, operations: [], sponsor: null });
        const asked = { transactionBase64, sendTo: 'base', wallet: wallet.address };
        const { output } = await explain.run(explain.input.parse(asked), ANONYMOUS);
        const cost = -BigInt(output.wallet?.lamportsMin ?? 0);
        expect(cost).toBeGreaterThan(5_000n);

        const account = stack.ledger.getAccount(wallet.address) as Account;
        const warningsWith = async (lamports: bigint): Promise<string[]> => {
          await stack.ledger.setAccounts([[wallet.address, { ...account, lamports }]]);
          return ((await build()).warnings ?? []).map(({ code }) => code);
        };
        expect(await warningsWith(cost - 1n)).toContain('INSUFFICIENT_LAMPORTS');
        expect(await warningsWith(cost)).not.toContain('INSUFFICIENT_LAMPORTS');
        const built = readTransactionText(signBuilt(wallet, (await build()).transactionBase64));
        expect((await stack.ledger.submit(built)).err).toBeNull();
        expect(stack.ledger.getAccount(wallet.address)?.lamports ?? 0n).toBe(0n);
      },
    );
  },
);

it('a ledger that hides its rent causes no difference in account costs (bug: a deposit was a danger)', async () => {
  const { ledger, random, fundedWallet } = await openWith(6_960n, 'a');
  onTestFinished(() => ledger.close());
  const { address: owner } = await fundedWallet();
  await ledger.airdropTokens(owner, mint, 5_000_000n);
  const open = () => new LedgerChain('localnet', ledger, LOCALNET_VALIDATOR, null, { layout: 'a' });
  const deposit = createDeposit({ clusters: new Clusters([open()]), random });
  const asked = deposit.input.parse({ owner, mint, amount: 1_000 });
  const { transactionBase64 } = (await deposit.run(asked, ANONYMOUS)).output;
  const hiding = open();
  const getAccounts = hiding.getAccounts.bind(hiding);
  hiding.getAccounts = async (addresses, ...others) =>
    (await getAccounts(addresses, ...others)).map((account, index) =>
      addresses[index] === RENT_SYSVAR ? null : account,
    );
  const explain = createExplainTransaction({
    clusters: new Clusters([hiding]),
    operations: [],
    sponsor: null,
  });
  const { output } = await explain.run({ transactionBase64, sendTo: 'base' }, ANONYMOUS);
  expect(output.verdict).toBe('caution');
  expect(output.findings.map(({ code }) => code)).toEqual(['TRIAL_UNSETTLED']);
});
