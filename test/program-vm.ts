import {
  type Address as KitAddress,
  type EncodedAccount,
  getTransactionDecoder,
  lamports as kitLamports,
} from '@solana/kit';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  MAGIC_PROGRAM,
  NOOP_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
} from '../src/programs/addresses.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../src/solana/account.ts';
import type { Address } from '../src/solana/address.ts';
import type { Instruction } from '../src/solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../src/solana/message.ts';

/** A virtual machine with the programs of layout A from the validator's npm package. Needs no signatures. */
export interface ProgramVm {
  account(address: Address): Account | null;
  /** Returns the accounts that a program owns. */
  accountsOf(program: Address): readonly (readonly [Address, Account])[];
  /** Returns the current slot. */
  slot(): bigint;
  /** Advances to a slot. */
  warpTo(slot: bigint): void;
  put(address: Address, account: Pick<Account, 'lamports' | 'owner' | 'data'>): void;
  /**
   * Runs instructions in one transaction and returns its size in bytes. Fails with the error and the logs.
   */
  run(feePayer: Address, ...instructions: Instruction[]): number;
  /** Simulates a transaction. Returns the resulting accounts or the error, with the logs. */
  try(wire: Uint8Array): {
    readonly logs: readonly string[];
    readonly accounts: ReadonlyMap<Address, Account> | string;
  };
  /** Runs the bytes of a transaction. Fails with the error and the logs. */
  send(wire: Uint8Array): void;
}

const dumps = join(
  dirname(createRequire(import.meta.url).resolve('@magicblock-labs/ephemeral-validator/package.json')),
  'bin/local-dumps',
);

interface Dump {
  readonly account: { lamports: number; owner: Address; data: readonly [string, string] };
}

const PROGRAMS_A: Readonly<Record<string, string>> = Object.fromEntries(
  [EPHEMERAL_TOKEN_PROGRAM, DELEGATION_PROGRAM, PERMISSION_PROGRAM].map((program) => [
    program,
    join(dumps, `${program}.so`),
  ]),
);

/**
 * Creates a virtual machine.
 *
 * @param dumped accounts to copy from the package.
 * @param ledger a rollup has a stub at the Magic program's address that accepts every call.
 * @param programs files of the programs by address; layout A by default.
 */
export function createProgramVm(
  dumped: readonly Address[],
  ledger: 'base' | 'rollup' = 'base',
  programs: Readonly<Record<string, string>> = PROGRAMS_A,
): ProgramVm {
  const svm = new LiteSVM().withSigverify(false).withBlockhashCheck(false);
  for (const [program, file] of Object.entries(programs))
    svm.addProgram(program as KitAddress, readFileSync(file));
  if (ledger === 'rollup') {
    svm.addProgram(MAGIC_PROGRAM as string as KitAddress, readFileSync(join(dumps, `${NOOP_PROGRAM}.so`)));
  }
  const put: ProgramVm['put'] = (address, { lamports, owner, data }) => {
    svm.setAccount({
      address: address as string as KitAddress,
      lamports: kitLamports(lamports),
      programAddress: owner as string as KitAddress,
      data,
      executable: false,
      space: BigInt(data.length),
    });
  };
  for (const address of dumped) {
    const { account } = JSON.parse(readFileSync(join(dumps, `${address}.json`), 'utf8')) as Dump;
    const data = new Uint8Array(Buffer.from(account.data[0], 'base64'));
    put(address, { lamports: BigInt(account.lamports), owner: account.owner, data });
  }
  const send = (wire: Uint8Array): void => {
    const result = svm.sendTransaction(getTransactionDecoder().decode(wire));
    svm.expireBlockhash();
    if (result instanceof FailedTransactionMetadata) {
      throw new Error(`${result.toString()}\n${result.meta().logs().join('\n')}`);
    }
  };
  return {
    put,
    send,
    account(address) {
      const account = svm.getAccount(address as string as KitAddress);
      return account.exists ? accountOf(account) : null;
    },
    accountsOf(program) {
      const owned = svm.getProgramAccounts(program as string as KitAddress);
      return owned.map((account) => [account.address as string as Address, accountOf(account)] as const);
    },
    slot: () => svm.getClock().slot,
    warpTo: (slot) => svm.warpToSlot(slot),
    try(wire) {
      const result = svm.simulateTransaction(getTransactionDecoder().decode(wire));
      const logs = result.meta().logs();
      if (result instanceof FailedTransactionMetadata) return { logs, accounts: result.toString() };
      const left = result
        .postAccounts()
        .map((account) => [account.address as string, accountOf(account)] as const);
      return { logs, accounts: new Map(left as [Address, Account][]) };
    },
    run(feePayer, ...instructions) {
      if (svm.getAccount(feePayer as string as KitAddress).exists === false) {
        put(feePayer, { lamports: 10_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
      }
      const source = { feePayer, blockhash: new Uint8Array(32), instructions };
      const bytes = encodeUnsignedTransaction(compileLegacyMessage(source));
      send(bytes);
      return bytes.length;
    },
  };
}

const accountOf = ({ lamports, programAddress, data, executable }: EncodedAccount): Account => ({
  lamports,
  owner: programAddress as string as Address,
  data: new Uint8Array(data),
  executable,
  rentEpoch: RENT_EXEMPT_EPOCH,
});
