import type { Keypair } from '../../../src/ledger/keypair.ts';
import { accountOf, tokenAccount } from '../../../src/ledger/testing/make-account.ts';
import { nonceAccount } from '../../../src/ledger/testing/nonce-account.ts';
import {
  DELEGATION_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_DEVNET_MINT,
  USDC_MINT,
} from '../../../src/programs/addresses.ts';
import { u64, u8 } from '../../../src/programs/instruction-data.ts';
import type { Member } from '../../../src/programs/permission/state.ts';
import type { Account } from '../../../src/solana/account.ts';
import { type Address, addressBytes } from '../../../src/solana/address.ts';
import { type Instruction, readonly, signer, writable } from '../../../src/solana/instruction.ts';
import { permissionData } from '../../ports/map-chain.ts';
import { ELSEWHERE, usdcOf } from '../extras/eata-program.ts';
import { instruction } from '../extras/extra.ts';
import { ANY, CAUTION, DANGER, NO_DANGER, NOT_CLEAR, type Offer, type Row, type Satisfied } from '../row.ts';
import { build, type Built } from '../world/hosts.ts';
import { strange } from '../world/kit.ts';
import { newcomer, type World } from '../world/world.ts';

/** The bytes match the request, but the accounts have changed since. */
const NOT_YES: readonly Satisfied[] = ['no', 'unverifiable'];
/** The bytes satisfy the request. Findings report failures and later risks. */
const IN_BYTES: readonly Satisfied[] = ['yes', 'unverifiable', 'no'];

const AMOUNT = 1_000_000;

/** The scene of a row: payer and payee. */
interface Scene {
  readonly world: World;
  readonly payer: Keypair;
  readonly payee: Keypair;
}

type Build = (scene: Scene) => Promise<Built>;
type Change = (scene: Scene) => Promise<unknown>;

const buildTransfer: Build = ({ world, payer, payee }) =>
  build(world, 'transfer', {
    from: payer.address,
    to: payee.address,
    mint: USDC_MINT,
    amount: AMOUNT,
    visibility: 'public',
  });

/** Builds a transfer that names both the recipient and its token account. */
const buildTransferWithAta: Build = ({ world, payer, payee }) =>
  build(world, 'transfer', {
    from: payer.address,
    to: payee.address,
    mint: USDC_MINT,
    amount: AMOUNT,
    visibility: 'public',
    initRecipientAta: true,
  });

const buildDeposit: Build = ({ world, payer }) =>
  build(world, 'deposit', { owner: payer.address, amount: AMOUNT });

const buildWithdrawal: Build = async ({ world, payer }) => {
  const { scene } = world;
  await scene.do(payer, 'deposit', { owner: payer.address, amount: AMOUNT, private: false });
  await scene.do(payer, 'undelegate', { payer: payer.address, mint: USDC_MINT });
  await scene.rollup.settled();
  return await build(world, 'withdraw', { owner: payer.address, mint: USDC_MINT, amount: AMOUNT });
};

interface Expected {
  readonly alone: Row['alone'];
  readonly asked: readonly Satisfied[];
  readonly codes?: readonly string[];
  /** The new beneficiary. */
  readonly gains?: (scene: Scene) => Address;
}

const state = (name: string, offer: Build, change: Change, { gains, ...expected }: Expected): Row => ({
  name,
  ...expected,
  async make(world): Promise<Offer> {
    const scene = { world, payer: await newcomer(world), payee: await newcomer(world) };
    const built = await offer(scene);
    await change(scene);
    return gains === undefined ? built : { ...built, gains: gains(scene) };
  },
});

const ataOf = ({ address }: Keypair): Address => usdcOf(address).ownerAta;

const tokenCall = (owner: Keypair, others: Instruction['accounts'], ...data: Uint8Array[]) =>
  instruction(TOKEN_PROGRAM, [writable(ataOf(owner)), ...others, signer(owner.address)], ...data);

/** Executes `SetAuthority` on a wallet's token account: 2 changes the owner, 3 the close authority. */
const handOver = ({ world }: Scene, owner: Keypair, type: 2 | 3, to: Address) =>
  world.scene.land(owner, tokenCall(owner, [], Uint8Array.of(6, type, 1), addressBytes(to)));

const approve = ({ world }: Scene, owner: Keypair, delegate: Address) =>
  world.scene.land(owner, tokenCall(owner, [readonly(delegate)], u8(4), u64(5_000_000n)));

const put = ({ world }: Scene, ...entries: (readonly [Address, Account])[]) =>
  world.scene.base.setAccounts(entries);

/** Replaces a wallet's token account. */
const putTokens = (
  scene: Scene,
  wallet: Keypair,
  account: Partial<Parameters<typeof tokenAccount>[0]>,
  tokenState = 1,
) =>
  put(scene, [
    ataOf(wallet),
    tokenAccount({ mint: USDC_MINT, owner: wallet.address, ...account }, 10_000_000n, {
      state: tokenState,
    }),
  ]);

const thiefOf = ({ world }: Scene): Address => world.thief.address;

const transfers: readonly Row[] = [
  state(
    'a transfer to a token account that was handed to the thief',
    buildTransfer,
    (s) => handOver(s, s.payee, 2, thiefOf(s)),
    { alone: ANY, asked: ['no'], gains: thiefOf },
  ),
  state(
    'a transfer that makes sure of a token account that was handed to the thief',
    buildTransferWithAta,
    (s) => handOver(s, s.payee, 2, thiefOf(s)),
    { alone: NOT_CLEAR, asked: ['no'] },
  ),
  state(
    'a transfer to an account that the thief may take from',
    buildTransfer,
    (s) => approve(s, s.payee, thiefOf(s)),
    { alone: CAUTION, asked: IN_BYTES, codes: ['TOKEN_ACCOUNT_DELEGATED'] },
  ),
  state(
    'a transfer to an account that the thief may close',
    buildTransfer,
    (s) => handOver(s, s.payee, 3, thiefOf(s)),
    { alone: CAUTION, asked: IN_BYTES, codes: ['TOKEN_ACCOUNT_CLOSE_AUTHORITY'] },
  ),
  state('a transfer to a frozen account', buildTransfer, (s) => putTokens(s, s.payee, {}, 2), {
    alone: CAUTION,
    asked: IN_BYTES,
    codes: ['TRIAL_FAILS'],
  }),
  state('a transfer from a frozen account', buildTransfer, (s) => putTokens(s, s.payer, {}, 2), {
    alone: CAUTION,
    asked: IN_BYTES,
    codes: ['TRIAL_FAILS'],
  }),
  state(
    'a transfer to an account of another mint',
    buildTransfer,
    (s) => putTokens(s, s.payee, { mint: USDC_DEVNET_MINT }),
    { alone: NOT_CLEAR, asked: NOT_YES },
  ),
  state(
    'a transfer to what is no token account',
    buildTransfer,
    (s) => put(s, [ataOf(s.payee), accountOf(SYSTEM_PROGRAM, new Uint8Array())]),
    { alone: NOT_CLEAR, asked: NOT_YES },
  ),
  state(
    'a transfer to an account that is not initialized',
    buildTransfer,
    (s) => putTokens(s, s.payee, {}, 0),
    { alone: NOT_CLEAR, asked: NOT_YES },
  ),
  state(
    'a transfer to the account of a strange program',
    buildTransfer,
    (s) => put(s, [ataOf(s.payee), accountOf(strange(240), new Uint8Array(165))]),
    { alone: NOT_CLEAR, asked: NOT_YES },
  ),
  state(
    'a transfer from an account the thief may take from',
    buildTransfer,
    (s) => approve(s, s.payer, thiefOf(s)),
    {
      alone: NO_DANGER,
      asked: ['yes'],
    },
  ),
  state(
    'a transfer from an account that was handed to the thief',
    buildTransfer,
    (s) => handOver(s, s.payer, 2, thiefOf(s)),
    { alone: NOT_CLEAR, asked: NOT_YES },
  ),
];

/** Sets the permission of the payer's eATA, which a deposit creates only if it is missing. */
const putPermission = (scene: Scene, members: readonly Member[] | null) => {
  const { eata, permission } = usdcOf(scene.payer.address);
  return put(scene, [permission, accountOf(PERMISSION_PROGRAM, permissionData(eata, members))]);
};

/** Sets the payer's eATA as delegated to `validator`. */
const putDelegated = (scene: Scene, validator: Address) => {
  const { eata, delegation, owner, mint } = usdcOf(scene.payer.address);
  const data = new Uint8Array(72);
  data.set(addressBytes(owner), 0);
  data.set(addressBytes(mint), 32);
  const record = new Uint8Array(96);
  record[0] = 100;
  record.set(addressBytes(validator), 8);
  return put(
    scene,
    [eata, accountOf(DELEGATION_PROGRAM, data)],
    [delegation.record, accountOf(DELEGATION_PROGRAM, record)],
  );
};

const READ = 2 | 4 | 8 | 16;

const deposits: readonly Row[] = [
  state(
    'a deposit out of an account that was handed to the thief',
    buildDeposit,
    (s) => handOver(s, s.payer, 2, thiefOf(s)),
    {
      alone: NOT_CLEAR,
      asked: NOT_YES,
    },
  ),
  state('a deposit out of a frozen account', buildDeposit, (s) => putTokens(s, s.payer, {}, 2), {
    alone: CAUTION,
    asked: IN_BYTES,
    codes: ['TRIAL_FAILS'],
  }),
  state(
    'a deposit out of an account of another mint',
    buildDeposit,
    (s) => putTokens(s, s.payer, { mint: USDC_DEVNET_MINT }),
    {
      alone: NOT_CLEAR,
      asked: NOT_YES,
    },
  ),
  state(
    'a private deposit that the thief may read',
    buildDeposit,
    (s) => putPermission(s, [{ flags: READ, address: thiefOf(s) }]),
    { alone: NOT_CLEAR, asked: NOT_YES },
  ),
  state(
    'a private deposit that the thief may open',
    buildDeposit,
    (s) => putPermission(s, [{ flags: 1, address: thiefOf(s) }]),
    { alone: NOT_CLEAR, asked: NOT_YES },
  ),
  state('a private deposit that everybody may read', buildDeposit, (s) => putPermission(s, null), {
    alone: NOT_CLEAR,
    asked: NOT_YES,
  }),
  state(
    'a private deposit that only its owner may read already',
    buildDeposit,
    (s) => putPermission(s, [{ flags: READ | 1, address: s.payer.address }]),
    { alone: NO_DANGER, asked: ['yes', 'unverifiable'] },
  ),
  state(
    'a deposit into an eATA that is delegated elsewhere',
    buildDeposit,
    (s) => putDelegated(s, ELSEWHERE),
    {
      alone: NOT_CLEAR,
      asked: IN_BYTES,
    },
  ),
  state(
    'a deposit into an eATA that is delegated already',
    buildDeposit,
    (s) => putDelegated(s, s.world.kit.validator),
    { alone: CAUTION, asked: IN_BYTES, codes: ['TRIAL_FAILS'] },
  ),
  state(
    'a deposit of a wallet that belongs to a program',
    buildDeposit,
    (s) => put(s, [s.payer.address, accountOf(strange(241), new Uint8Array(), 10_000_000_000n)]),
    { alone: NOT_CLEAR, asked: IN_BYTES },
  ),
  state(
    'a deposit of a wallet that holds data',
    buildDeposit,
    (s) => put(s, [s.payer.address, accountOf(SYSTEM_PROGRAM, new Uint8Array(8), 10_000_000_000n)]),
    { alone: NOT_CLEAR, asked: IN_BYTES },
  ),
  state(
    'a deposit of a wallet that is a nonce account',
    buildDeposit,
    (s) =>
      put(s, [
        s.payer.address,
        { ...nonceAccount(s.payer.address, new Uint8Array(32).fill(9)), lamports: 10_000_000_000n },
      ]),
    { alone: NOT_CLEAR, asked: IN_BYTES },
  ),
  state(
    'a deposit of a wallet without lamports',
    buildDeposit,
    (s) => put(s, [s.payer.address, accountOf(SYSTEM_PROGRAM, new Uint8Array(), 890_880n)]),
    { alone: CAUTION, asked: IN_BYTES, codes: ['TRIAL_FAILS'] },
  ),
];

const withdrawals: readonly Row[] = [
  state(
    'a withdrawal to an account of hers that was handed to the thief',
    buildWithdrawal,
    (s) => handOver(s, s.payer, 2, thiefOf(s)),
    { alone: DANGER, asked: ['no'] },
  ),
  state(
    'a withdrawal to an account of hers that the thief may take from',
    buildWithdrawal,
    (s) => approve(s, s.payer, thiefOf(s)),
    { alone: CAUTION, asked: IN_BYTES, codes: ['TOKEN_ACCOUNT_DELEGATED'] },
  ),
  state(
    'a withdrawal to an account of hers that the thief may close',
    buildWithdrawal,
    (s) => handOver(s, s.payer, 3, thiefOf(s)),
    { alone: CAUTION, asked: IN_BYTES, codes: ['TOKEN_ACCOUNT_CLOSE_AUTHORITY'] },
  ),
  state('a withdrawal to a frozen account', buildWithdrawal, (s) => putTokens(s, s.payer, {}, 2), {
    alone: CAUTION,
    asked: IN_BYTES,
    codes: ['TRIAL_FAILS'],
  }),
  state(
    'a withdrawal to an account of another mint',
    buildWithdrawal,
    (s) => putTokens(s, s.payer, { mint: USDC_DEVNET_MINT }),
    { alone: NOT_CLEAR, asked: NOT_YES },
  ),
  state(
    'a withdrawal from an eATA that is delegated',
    buildWithdrawal,
    (s) => putDelegated(s, s.world.kit.validator),
    {
      alone: NOT_CLEAR,
      asked: IN_BYTES,
    },
  ),
];

/** Unchanged transactions with accounts that changed after the build. */
export const STATE_ROWS: readonly Row[] = [...transfers, ...deposits, ...withdrawals];
