import type { EmbeddedLedger } from '../../src/ledger/embedded-ledger.ts';
import { Keypair } from '../../src/ledger/keypair.ts';
import { MemoryStore } from '../../src/ledger/store/memory-store.ts';
import { openTestLedger } from '../../src/ledger/testing/test-ledger.ts';
import { deriveDepositAccounts } from '../../src/payments/accounts/deposit-accounts.ts';
import { planDepositA } from '../../src/payments/deposit/plan.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import * as extra from '../../src/programs/ephemeral-token/layout-b/testing/instructions.ts';
import { EATA_TABLE, EATA_TABLE_A } from '../../src/programs/ephemeral-token/table/eata.ts';
import { type AccountsOf, encode } from '../../src/programs/instruction-table/encode.ts';
import { openRollup } from '../../src/rollup/open-rollup.ts';
import { Guards } from '../../src/rollup/privacy/guards.ts';
import { PrivateViews } from '../../src/rollup/privacy/private-views.ts';
import { HistoryNames } from '../../src/rollup/privacy/shown-history.ts';
import type { EmbeddedRollup } from '../../src/rollup/rollup.ts';
import { CrashStores } from '../../src/rollup/testing/crash-stores.ts';
import { openLayoutBScene } from '../../src/rollup/testing/layout-b-scene.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import type { PrivateLayout } from './private-scene.ts';

/** Returns the accounts of a wallet's USDC deposit. */
export const accountsOf = ({ address }: Keypair) => deriveDepositAccounts(address, USDC_MINT, TOKEN_PROGRAM);

type DelegatePermission = AccountsOf<typeof EATA_TABLE_A.delegatePermission>;
type ResetPermission = AccountsOf<typeof EATA_TABLE_A.resetPermission>;

/** Both ledgers with the real programs of a layout, and its instructions. */
export interface RealStage {
  readonly base: EmbeddedLedger;
  readonly rollup: EmbeddedRollup;
  readonly views: PrivateViews;
  /** Creates a wallet with `amount` base units of USDC on base. */
  wallet(amount: bigint): Promise<Keypair>;
  /** Returns the instructions that deposit a wallet's tokens. */
  deposit(wallet: Keypair, amount: bigint, isPrivate: boolean): readonly Instruction[];
  undelegation(wallet: Keypair): Instruction;
  /** Makes a wallet's public account private; `payer` pays for it. */
  createPermission(payer: Keypair, of: Keypair, permission: Keypair['address']): Instruction;
  delegatePermission(accounts: DelegatePermission, of: Keypair): Instruction;
  resetPermission(accounts: ResetPermission, of: Keypair, flags: number): Instruction;
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

export const openRealStage = (layout: PrivateLayout): Promise<RealStage> =>
  layout === 'a' ? openOnLayoutA() : openOnLayoutB();

async function openOnLayoutA(): Promise<RealStage> {
  const test = await openTestLedger();
  const { ledger: base, clock, random } = test;
  const guards = new Guards(base);
  const validator = new Keypair(random.bytes(32));
  const names = new HistoryNames(base.secretFor('rollup history'), guards);
  const rollup = await openRollup({
    base,
    validator,
    place: { store: new MemoryStore() },
    clock,
    random,
    logger: silentLogger,
    listedUnder: names.namesOf,
  });
  return {
    base,
    rollup,
    views: new PrivateViews(rollup, guards, names),
    async wallet(amount) {
      const wallet = await test.fundedWallet();
      await base.airdropTokens(wallet.address, USDC_MINT, amount);
      return wallet;
    },
    deposit(wallet, amount, isPrivate) {
      const accounts = accountsOf(wallet);
      const vault = base.getAccount(accounts.vault.address) === null;
      return planDepositA({
        accounts,
        payer: wallet.address,
        amount,
        validator: validator.address,
        creates: { eata: true, vault, ownerAta: false },
        permission: isPrivate ? { flags: 0, delegateTo: null } : null,
      });
    },
    undelegation(wallet) {
      const { ownerAta, eata } = accountsOf(wallet);
      return encode(EATA_TABLE.undelegateEata, { owner: wallet.address, ownerAta, eata: eata.address });
    },
    createPermission(payer, of, permission) {
      const { eata } = accountsOf(of);
      const accounts = { eata: eata.address, permission, payer: payer.address };
      return encode(EATA_TABLE_A.createPermission, accounts, { eataBump: eata.bump, flags: 0 });
    },
    delegatePermission: (accounts, of) =>
      encode(EATA_TABLE_A.delegatePermission, accounts, { eataBump: accountsOf(of).eata.bump }),
    resetPermission: (accounts, of, flags) =>
      encode(EATA_TABLE_A.resetPermission, accounts, { eataBump: accountsOf(of).eata.bump, flags }),
    async pass(ms) {
      clock.pass(ms);
    },
    async close() {
      await rollup.close();
      guards.close();
      await base.close();
    },
  };
}

async function openOnLayoutB(): Promise<RealStage> {
  const scene = await openLayoutBScene(new CrashStores().open(), { concealsNames: true });
  await scene.initializeMint();
  const { base, rollup, views, time } = scene;
  return {
    base,
    rollup,
    views,
    wallet: (amount) => scene.wallet(amount),
    deposit: (wallet, amount, isPrivate) =>
      isPrivate ? scene.privateDeposit(wallet, amount) : scene.deposit(wallet, amount),
    undelegation: (wallet) => scene.undelegation(wallet),
    createPermission: (payer, of, permission) =>
      encode(
        EATA_TABLE.createPermission,
        { eata: accountsOf(of).eata.address, permission, payer: payer.address },
        { flags: 0 },
      ),
    delegatePermission: (accounts) => extra.delegatePermission(accounts),
    resetPermission: (accounts, _, flags) => extra.resetPermission(accounts, flags),
    async pass(ms) {
      await time.pass(ms);
      await rollup.settled();
    },
    close: () => scene.close(),
  };
}
