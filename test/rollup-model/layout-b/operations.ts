import { Keypair } from '../../../src/ledger/keypair.ts';
import type { TransactionRecord } from '../../../src/ledger/ledger.ts';
import type { SeededRandom } from '../../../src/ledger/testing/seeded-random.ts';
import { updateStealthPool } from '../../../src/programs/ephemeral-token/layout-b/stealth-pool.ts';
import { initShuttle } from '../../../src/programs/ephemeral-token/layout-b/testing/instructions.ts';
import { SHUTTLE_TABLE } from '../../../src/programs/ephemeral-token/table/shuttle.ts';
import { encode } from '../../../src/programs/instruction-table/encode.ts';
import type { DeliveryTerms } from '../../../src/programs/private-transfer/seal-transfer.ts';
import { transferLamports } from '../../../src/programs/system.ts';
import { syncNative, transferTokens } from '../../../src/programs/token/instructions.ts';
import { AT_ONCE } from '../../../src/rollup/testing/layout-b-scene.ts';
import type { Address } from '../../../src/solana/address.ts';
import { decodeTransaction } from '../../../src/solana/transaction.ts';
import type { Draft, Moves } from './attempt.ts';
import type { Pot, Purse, Room } from './room.ts';

/** The handle of the stealth pool that everyone pays. */
export const HANDLE = 'walker';

/** Returns the fee of a private payment from base to base: 10 of 10,000, rounded down. */
const feeOf = (units: bigint): bigint => (units * 10n) / 10_000n;

/** Maximum delay of a payment, in ms, and its maximum number of parts. */
const DELAY_MS_MAX = 5_000;
const PARTS_MAX = 4;

/** The actors and the room of an operation. */
interface Scope {
  readonly room: Room;
  readonly of: Purse;
  readonly to: Purse;
  /** Pays for gasless payments, and controls the stealth pool. */
  readonly sponsor: Keypair;
  readonly random: SeededRandom;
  readonly groupId: number;
}

type Operation = (scope: Scope) => Draft | null;

/** The recipient of a payment. */
interface Recipient {
  readonly address: Address;
  /** Null if payouts to it fail on base. */
  readonly pot: Pot | null;
}

const deposit: Operation = ({ room, of, random }) => {
  const units = draw(random, room.scene.tokens(room.scene.base, of.wallet.address));
  return units === 0n ? null : depositing('deposit', { room, of, to: of, units });
};

const depositForAnother: Operation = ({ room, of, to, random }) => {
  const units = draw(random, room.scene.tokens(room.scene.base, of.wallet.address));
  return units === 0n || to === of ? null : depositing('deposit for another', { room, of, to, units });
};

/** A deposit that is returned if the recipient has no account on the rollup. */
const depositUnprepared: Operation = (scope) => {
  const draft = depositForAnother(scope);
  if (draft === null) return null;
  return { ...draft, kind: 'deposit unprepared', instructions: draft.instructions.slice(-1) };
};

function depositing(
  kind: string,
  { room, of, to, units }: { room: Room; of: Purse; to: Purse; units: bigint },
): Draft {
  const instructions = room.scene.deposit(of.wallet, units, to.wallet.address);
  return {
    kind,
    where: 'base',
    signers: [of.wallet],
    instructions,
    ...ofShuttle(room, { of, purse: to, takes: 0n, paid: units, moves: [[to.inside, units]] }),
  };
}

const payPrivately: Operation = ({ room, of, to, random }) => {
  const { scene } = room;
  const paid = privatePayment({ room, of, to, random });
  if (paid === null) return null;
  const { units, recipient, terms } = paid;
  const instructions = scene.privateTransfer(of.wallet, recipient.address, units, terms);
  const kind = recipient.pot === null ? 'private payment refused' : 'private payment';
  return { kind, where: 'base', signers: [of.wallet], instructions, ...privateMoves(room, of, paid) };
};

/** A gasless payment, which needs the wallet's eATA on the rollup. */
const payGasless: Operation = ({ room, of, to, sponsor, random }) => {
  const paid = privatePayment({ room, of, to, random });
  if (paid === null) return null;
  const { units, recipient, terms } = paid;
  const payment = { to: recipient.address, amount: units, terms };
  const instructions = [room.scene.sponsoredTransfer(of.wallet, sponsor, payment)];
  return {
    kind: 'gasless payment',
    where: 'base',
    signers: [sponsor, of.wallet],
    instructions,
    ...privateMoves(room, of, paid),
  };
};

interface PrivatePayment {
  readonly units: bigint;
  readonly recipient: Recipient;
  readonly terms: DeliveryTerms;
}

function privatePayment({
  room,
  of,
  to,
  random,
}: Pick<Scope, 'room' | 'of' | 'to' | 'random'>): PrivatePayment | null {
  const there = room.scene.tokens(room.scene.base, of.wallet.address) ?? 0n;
  const units = draw(random, (there * 99n) / 100n);
  const isToPool = room.pool !== null && random.integer(5) === 0;
  const recipient = isToPool ? poolOf(room) : recipientOf(room, to, random);
  return units < 10n ? null : { units, recipient, terms: termsOf(random) };
}

function privateMoves(room: Room, of: Purse, { units, recipient }: PrivatePayment) {
  const fee = feeOf(units);
  // A rejected payout goes to the sender's account on base.
  const moves: Moves = [
    [recipient.pot ?? of.base, units],
    [room.fees, fee],
  ];
  return ofShuttle(room, { of, purse: of, takes: 0n, paid: units + fee, moves });
}

const payToBase: Operation = ({ room, of, to, random, groupId }) => {
  const { scene } = room;
  const units = draw(random, insideOf(room, of));
  if (units === 0n) return null;
  const recipient = recipientOf(room, to, random);
  const terms = units < 10n ? AT_ONCE : termsOf(random);
  return {
    kind: recipient.pot === null ? 'payment to base refused' : 'payment to base',
    where: 'rollup',
    signers: [of.wallet],
    instructions: [scene.queueTransfer(of.wallet, recipient.address, units, { groupId, terms })],
    moves: [
      [of.inside, -units],
      [recipient.pot ?? of.base, units],
    ],
  };
};

const payOnRollup: Operation = ({ room, of, to, random }) => {
  const { scene } = room;
  const units = draw(random, insideOf(room, of));
  const [source, destination] = [scene.ataOf(of.wallet.address), scene.ataOf(to.wallet.address)];
  const accounts = { source, destination, authority: of.wallet.address };
  return {
    kind: 'payment on the rollup',
    where: 'rollup',
    signers: [of.wallet],
    instructions: [transferTokens(scene.tokenProgram, accounts, units)],
    moves: [
      [of.inside, -units],
      [to.inside, units],
    ],
  };
};

const withdraw: Operation = ({ room, of, random }) => {
  const units = draw(random, insideOf(room, of));
  return units === 0n ? null : withdrawal('withdrawal', room, of, units);
};

/** A withdrawal that fails. The shuttle is returned after five attempts of its actions. */
const withdrawTooMuch: Operation = ({ room, of }) =>
  withdrawal('withdrawal of too much', room, of, of.inside.units + 1_000_000_000_000n);

function withdrawal(kind: string, room: Room, of: Purse, units: bigint): Draft {
  const instructions = room.scene.withdrawal(of.wallet, units);
  const moves: Moves = [
    [of.inside, -units],
    [of.base, units],
  ];
  const shuttle = ofShuttle(room, { of, purse: of, takes: units, paid: 0n, moves });
  return { kind, where: 'base', signers: [of.wallet], instructions, ...shuttle };
}

const undelegate: Operation = ({ room, of }) => undelegationOf(room, of);

/** Undelegates a purse's eATA. */
export function undelegationOf({ scene }: Room, { wallet }: Purse): Draft {
  const instructions = [scene.undelegation(wallet)];
  return { kind: 'undelegation', where: 'rollup', signers: [wallet], instructions, moves: [] };
}

const withdrawDirectly: Operation = ({ room, of, random }) => {
  const units = draw(random, room.scene.eataTokens(room.scene.base, of.wallet.address));
  return units === 0n ? null : directWithdrawalOf(room, of, units);
};

/** Withdraws base units of an undelegated eATA from the vault. */
export function directWithdrawalOf({ scene }: Room, purse: Purse, units: bigint): Draft {
  return {
    kind: 'direct withdrawal',
    where: 'base',
    signers: [purse.wallet],
    instructions: [scene.directWithdrawal(purse.wallet, units)],
    moves: [
      [purse.inside, -units],
      [purse.base, units],
    ],
  };
}

/** Wraps SOL. The lamports still count as the wallet's. */
const wrap: Operation = ({ room, of, random }) => {
  const [payer, ata] = [of.wallet.address, room.scene.ataOf(of.wallet.address)];
  const units = BigInt(1 + random.integer(20_000_000));
  const instructions = [transferLamports(payer, ata, units), syncNative(room.scene.tokenProgram, ata)];
  return { kind: 'wrapping', where: 'base', signers: [of.wallet], instructions, ...ofOwn(room, of, 0n) };
};

/** Changes the keys of the stealth pool. Pending payments go to the previous keys. */
const changeKeys: Operation = ({ room, sponsor, random }) => {
  const { pool } = room;
  if (pool === null) return null;
  const keys = Array.from({ length: 1 + random.integer(3) }, () => new Keypair(random.bytes(32)).address);
  pool.payee.addresses.push(...keys);
  const accounts = { payer: sponsor.address, pool: pool.address, authority: sponsor.address };
  const destinations = { destinations: keys, splitAcrossKeys: random.integer(2) === 0 };
  return {
    kind: 'new stealth keys',
    where: 'rollup',
    signers: [sponsor],
    instructions: [updateStealthPool(accounts, HANDLE, destinations)],
    moves: [],
  };
};

/** Creates a shuttle with tokens but without a delegation. */
const strand: Operation = ({ room, of, random }) => {
  const { scene } = room;
  const { address: owner } = of.wallet;
  const units = draw(random, scene.tokens(scene.base, owner)) / 100n;
  const shuttleId = scene.nextShuttle();
  const shuttle = scene.shuttleOf(owner, shuttleId);
  const { mint, tokenProgram } = scene;
  room.stranded.push({ purse: of, shuttle, units });
  const parties = { source: scene.ataOf(owner), destination: shuttle.walletAta, authority: owner };
  const accounts = { payer: owner, shuttle, owner, mint, tokenProgram };
  return {
    kind: 'stranding',
    where: 'base',
    signers: [of.wallet],
    instructions: [initShuttle(accounts, shuttleId), transferTokens(tokenProgram, parties, units)],
    moves: [[of.base, -units]],
  };
};

/** Recovers a stranded shuttle, signed by anyone. It may already be recovered, or lost in a crash. */
const recover: Operation = ({ room, to, random }) => {
  const { scene, stranded } = room;
  const one = stranded[random.integer(stranded.length + 1)];
  if (one === undefined) return null;
  const { purse, shuttle, units } = one;
  const { mint, tokenProgram, vault } = scene;
  const instruction = encode(SHUTTLE_TABLE.recoverShuttle, {
    rentRefund: purse.wallet.address,
    shuttle,
    destinationAta: scene.ataOf(purse.wallet.address),
    mint,
    vault,
    vaultAta: scene.ataOf(vault),
    tokenProgram,
  });
  return {
    kind: 'recovery',
    where: 'base',
    signers: [to.wallet],
    instructions: [instruction],
    moves: [[purse.base, units]],
  };
};

const OF_ALL: readonly Operation[] = [
  deposit,
  deposit,
  depositForAnother,
  payPrivately,
  payPrivately,
  payPrivately,
  payGasless,
  payToBase,
  payToBase,
  payOnRollup,
  withdraw,
  withdraw,
  withdrawTooMuch,
];

const OF_TOKENS: readonly Operation[] = [
  ...OF_ALL,
  depositUnprepared,
  undelegate,
  undelegate,
  withdrawDirectly,
  withdrawDirectly,
  changeKeys,
  strand,
  recover,
];

const OF_SOL: readonly Operation[] = [...OF_ALL, wrap, wrap];

/** Draws an operation; null if it is not possible now. */
export function drawOperation(scope: Scope): Draft | null {
  const operations = scope.room.isNative ? OF_SOL : OF_TOKENS;
  return (operations[scope.random.integer(operations.length)] as Operation)(scope);
}

/** Returns the effects of a transaction that opens the newest shuttle with `paid` base units. */
function ofShuttle(
  room: Room,
  { of, purse, takes, paid, moves }: { of: Purse; purse: Purse; takes: bigint; paid: bigint; moves: Moves },
): Pick<Draft, 'landed' | 'moves' | 'shuttle'> {
  const address = room.scene.shuttleOf(of.wallet.address).metadata;
  const shuttle = { address, purse, takes, back: [[of.base, paid]] as Moves };
  return { ...ofOwn(room, of, paid), moves, shuttle };
}

/** Returns the cost of a transaction for its signer. For SOL, it includes all lamports. */
function ofOwn(room: Room, of: Purse, paid: bigint): Pick<Draft, 'landed' | 'moves'> {
  if (!room.isNative) return { landed: () => [[of.base, -paid]], moves: [] };
  const own = [of.wallet.address, room.scene.ataOf(of.wallet.address)];
  return { landed: (record) => [[of.base, changeOf(record, own)]], moves: [] };
}

/** Returns the total change of some accounts by a transaction, in lamports. */
function changeOf({ wire, preBalances, postBalances }: TransactionRecord, own: readonly Address[]): bigint {
  const { staticKeys } = decodeTransaction(wire);
  return staticKeys.reduce((sum, key, index) => {
    if (!own.includes(key)) return sum;
    return sum + (postBalances[index] ?? 0n) - (preBalances[index] ?? 0n);
  }, 0n);
}

function recipientOf(room: Room, to: Purse, random: SeededRandom): Recipient {
  const die = random.integer(10);
  if (die < 2 && room.frozen !== null) return { address: room.frozen, pot: null };
  if (die > 3) return { address: to.wallet.address, pot: to.base };
  // A payee without a token account. With SOL, base would reject amounts too small for a new account.
  if (room.isNative) return payeeOf(room, random);
  const { address } = new Keypair(random.bytes(32));
  return { address, pot: room.addPayee(address) };
}

function payeeOf({ payees }: Room, random: SeededRandom): Recipient {
  const { addresses, base } = payees[random.integer(payees.length)] as (typeof payees)[number];
  return { address: addresses[0] as Address, pot: base };
}

function poolOf({ pool }: Room): Recipient {
  if (pool === null) throw new Error('the room has no pool');
  return { address: pool.address, pot: pool.payee.base };
}

function termsOf(random: SeededRandom): DeliveryTerms {
  const split = random.integer(2) === 0 ? 1 : 1 + random.integer(PARTS_MAX);
  if (random.integer(2) === 0) return { ...AT_ONCE, split };
  const minDelayMs = random.integer(DELAY_MS_MAX);
  const maxDelayMs = minDelayMs + random.integer(DELAY_MS_MAX - minDelayMs + 1);
  const clientRefId = random.integer(2) === 0 ? null : BigInt(random.integer(1_000));
  return { minDelayMs: BigInt(minDelayMs), maxDelayMs: BigInt(maxDelayMs), split, clientRefId };
}

const insideOf = ({ scene }: Room, { wallet }: Purse): bigint | null =>
  scene.tokens(scene.rollup, wallet.address);

/** Draws base units up to the balance, and sometimes all of it. */
function draw(random: SeededRandom, there: bigint | null): bigint {
  const max = there ?? 0n;
  if (random.integer(6) === 0) return max;
  return (max * BigInt(random.integer(500))) / 1_000n;
}
