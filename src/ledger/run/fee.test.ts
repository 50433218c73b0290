import { describe, expect, it } from 'vitest';
import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { decodeTransaction, type Transaction } from '../../solana/transaction.ts';
import { Account as NativeAccount, LiteSvm, SimulatedTransactionInfo } from '../engine/native-litesvm.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { readComputeBudget, transactionFee } from './fee.ts';

const PROGRAMS = [
  SYSTEM_PROGRAM,
  MEMO_PROGRAM,
  'Vote111111111111111111111111111111111111111',
  'Stake11111111111111111111111111111111111111',
  'AddressLookupTab1e1111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'Config1111111111111111111111111111111111111',
  'ZkE1Gama1Proof11111111111111111111111111111',
  'ZkTokenProof1111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
] as Address[];
const PRECOMPILES = [
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
] as Address[];

const random = new SeededRandom('fee');
const payer = addressOf(random.bytes(32));

function build(instructions: readonly Instruction[]): Transaction {
  const message = compileLegacyMessage({ feePayer: payer, blockhash: new Uint8Array(32), instructions });
  return decodeTransaction(encodeUnsignedTransaction(message));
}

const call = (programId: Address, ...data: number[]): Instruction => ({
  programId,
  accounts: [],
  data: Uint8Array.from(data),
});
const unitLimit = (units: number): Instruction => {
  const data = Buffer.alloc(5, 2);
  data.writeUInt32LE(units, 1);
  return { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
};
const unitPrice = (microLamports: bigint): Instruction => {
  const data = Buffer.alloc(9, 3);
  data.writeBigUInt64LE(microLamports, 1);
  return { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
};

function feeOf(transaction: Transaction): bigint {
  const budget = readComputeBudget(transaction);
  if ('err' in budget) throw new Error(JSON.stringify(budget.err));
  return transactionFee(transaction, budget);
}

describe('transactionFee', () => {
  it.each([
    ['one signature', [call(SYSTEM_PROGRAM)], 5_000n],
    ['a price with a limit', [unitPrice(333_333n), unitLimit(700)], 5_234n],
    ['a price without a limit', [unitPrice(1_000_000n), call(SYSTEM_PROGRAM)], 11_000n],
    ['a limit above the maximum', [unitPrice(1_000_000n), unitLimit(2_000_000)], 1_405_000n],
    ['two precompile signatures', [call(PRECOMPILES[0] as Address, 2, 0)], 15_000n],
    ['a price beyond u64', [unitPrice(0xffff_ffff_ffff_ffffn), unitLimit(1_400_000)], 0xffff_ffff_ffff_ffffn],
  ])('charges for %s', (_, instructions, fee) => {
    expect(feeOf(build(instructions))).toBe(fee);
  });

  it('equals the fee the engine charges, for transactions of all kinds', () => {
    const svm = new LiteSvm();
    svm.setSigverify(false);
    svm.setBlockhashCheck(false);
    svm.setTransactionHistory(0n);
    const lamports = 0xffff_ffff_ffffn;
    const wallet = new NativeAccount(lamports, new Uint8Array(0), addressBytes(SYSTEM_PROGRAM), false, 0n);
    svm.setAccount(addressBytes(payer), wallet);
    const fees = new Set<bigint>();
    for (let round = 0; round < 2_000; round++) {
      const transaction = build(randomInstructions());
      const result = svm.simulateVersionedTransaction(transaction.wire);
      const text = (result instanceof SimulatedTransactionInfo ? result : result.meta()).toString();
      const engineFee = /fee: (\d+) \}/.exec(text)?.[1];
      const fee = feeOf(transaction);
      expect(`${fee}`, JSON.stringify(transaction.instructions)).toBe(engineFee);
      fees.add(fee);
    }
    expect(fees.size).toBeGreaterThan(500);
  });
});

function randomInstructions(): Instruction[] {
  const instructions: Instruction[] = [];
  for (let count = 1 + random.integer(4); count > 0; count--) {
    const program = PROGRAMS[random.integer(PROGRAMS.length)] as Address;
    const signers = Array.from({ length: random.integer(3) }, () => ({
      address: addressOf(random.bytes(32)),
      signer: true,
      writable: random.integer(2) === 0,
    }));
    instructions.push({ ...call(program, random.integer(256)), accounts: signers });
  }
  if (random.integer(3) === 0) {
    instructions.push(call(PRECOMPILES[random.integer(3)] as Address, random.integer(4), 0));
  }
  if (random.integer(2) === 0) instructions.push(unitLimit(random.integer(1_600_000)));
  if (random.integer(3) > 0) instructions.push(unitPrice(BigInt(random.integer(5_000_000))));
  return instructions.sort(() => random.integer(3) - 1);
}
