import { Clusters } from '../src/chain/clusters.ts';
import { NO_LAYOUT_B } from '../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { SeededRandom } from '../src/ledger/testing/seeded-random.ts';
import { deriveFeesVaultOf } from '../src/payments/accounts/deposit-accounts.ts';
import type { Explanation } from '../src/payments/explain/answer/explanation-schema.ts';
import { RENT_PDA } from '../src/payments/fees/costs.ts';
import type { Operation } from '../src/payments/operation.ts';
import { systemClock } from '../src/ports/clock.ts';
import { silentLogger } from '../src/ports/logger.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../src/programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../src/programs/associated-token.ts';
import * as settlement from '../src/programs/delegation/table.ts';
import * as pdas from '../src/programs/delegation/pdas.ts';
import { decodeDelegationMetadata } from '../src/programs/delegation/state.ts';
import { DELEGATION_TABLE } from '../src/programs/delegation/table.ts';
import { encode } from '../src/programs/instruction-table/encode.ts';
import { mintTo } from '../src/programs/token/instructions.ts';
import { decodeTokenHolding } from '../src/programs/token/state.ts';
import type { Account } from '../src/solana/account.ts';
import { type Address, addressBytes } from '../src/solana/address.ts';
import type { Instruction } from '../src/solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../src/solana/message.ts';
import { createOperations } from '../src/stack/operations.ts';
import { LAYOUT_B_PROGRAMS } from './layout-b-programs.ts';
import { MapRollup, mintDataOf } from './ports/map-chain.ts';
import { VmChain } from './ports/vm-chain.ts';
import { createProgramVm, type ProgramVm } from './program-vm.ts';

export const OWNER = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb' as Address;
export const FRIEND = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' as Address;
/** On the curve, because data can be sealed only for such keys. */
export const VALIDATOR = 'MAS1Dt9qreoRMQ14YQuhg8UTZMMzDdKhmkZMECCzk57' as Address;

export const ataOf = (owner: Address): Address => deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address;

/** A separate base ledger with the networks' programs. Its rollup is a map of accounts. */
export class LayoutBScene {
  readonly vm: ProgramVm;
  readonly chain: VmChain;
  readonly rollup: MapRollup;
  readonly #operations: ReadonlyMap<string, Operation>;

  /** The owner has 5 USDC and 10 SOL, the friend 10 SOL. No mint is initialized. */
  constructor(programs: NonNullable<typeof LAYOUT_B_PROGRAMS>) {
    this.vm = createProgramVm([], 'base', programs);
    this.chain = new VmChain(this.vm);
    this.rollup = Object.assign(new MapRollup(), { validator: VALIDATOR });
    Object.assign(this.chain, { cluster: 'mainnet', network: 'mainnet', layout: 'b', validator: VALIDATOR });
    this.chain.rollup = this.rollup;
    this.chain.isBlockhashValid = () => Promise.resolve(true);
    const ports = { clock: systemClock, random: new SeededRandom('layout-b'), logger: silentLogger };
    const made = createOperations({ gaslessSponsorSecretKey: null }, new Clusters([this.chain]), ports);
    this.#operations = new Map(made.map((operation) => [operation.name, operation]));
    const mint = mintDataOf(USDC_MINT);
    mint[0] = 1;
    mint.set(addressBytes(OWNER), 4);
    this.vm.put(USDC_MINT, { lamports: 1_461_600n, owner: TOKEN_PROGRAM, data: mint });
    this.vm.put(NATIVE_MINT, { lamports: 1_461_600n, owner: TOKEN_PROGRAM, data: mintDataOf(NATIVE_MINT) });
    for (const wallet of [OWNER, FRIEND, VALIDATOR]) {
      this.vm.put(wallet, { lamports: 10_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
    }
    for (const vault of [deriveFeesVaultOf(VALIDATOR), pdas.deriveFeesVault().address]) {
      this.vm.put(vault, { lamports: 10_000_000n, owner: DELEGATION_PROGRAM, data: new Uint8Array(8) });
    }
    this.vm.put(RENT_PDA, { lamports: 1_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
    this.openAta(OWNER, 5_000_000n);
  }

  /** Opens a wallet's USDC account with `amount` base units. */
  openAta(owner: Address, amount: bigint): void {
    this.vm.run(
      OWNER,
      createAtaIdempotent({
        payer: OWNER,
        ata: ataOf(owner),
        owner,
        mint: USDC_MINT,
        tokenProgram: TOKEN_PROGRAM,
      }),
      mintTo(TOKEN_PROGRAM, { mint: USDC_MINT, destination: ataOf(owner), authority: OWNER }, amount),
    );
  }

  /** Returns the result of an operation. */
  async call(name: string, args: object): Promise<Record<string, unknown>> {
    const operation = this.#operations.get(name);
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    const { output } = await operation.run(operation.input.parse(args), { token: 'for the rollup' });
    return operation.output.parse(output) as Record<string, unknown>;
  }

  /** Builds and runs a transaction, and returns it. */
  async play(name: string, args: object): Promise<string> {
    const transactionBase64 = String((await this.call(name, args))['transactionBase64']);
    this.send(transactionBase64);
    return transactionBase64;
  }

  send(transactionBase64: string): void {
    this.vm.send(new Uint8Array(Buffer.from(transactionBase64, 'base64')));
  }

  /** Returns an unsigned transaction with these instructions, in base64. */
  unsignedText(feePayer: Address, ...instructions: Instruction[]): string {
    const source = { feePayer, blockhash: new Uint8Array(32).fill(7), instructions };
    return Buffer.from(encodeUnsignedTransaction(compileLegacyMessage(source))).toString('base64');
  }

  async explain(transactionBase64: string, args: object = {}): Promise<Explanation> {
    const answer = await this.call('explainTransaction', { transactionBase64, sendTo: 'base', ...args });
    return answer as unknown as Explanation;
  }

  /** Returns the base units in a token account; null if it does not exist. */
  tokensIn(ata: Address): bigint | null {
    const account = this.vm.account(ata);
    return account === null ? null : (decodeTokenHolding(account.data)?.amount ?? null);
  }

  /** Undelegates an account without changes, as its validator does. */
  giveBack(account: Address, lamportsTo: Address): void {
    const accounts = {
      validator: VALIDATOR,
      account,
      commitState: pdas.deriveCommitState(account).address,
      commitRecord: pdas.deriveCommitRecord(account).address,
      record: pdas.deriveDelegationRecord(account).address,
      metadata: pdas.deriveDelegationMetadata(account).address,
      validatorFeesVault: pdas.deriveValidatorFeesVault(VALIDATOR).address,
    };
    const { lamports, data } = this.vm.account(account) as Account;
    const metadata = decodeDelegationMetadata((this.vm.account(accounts.metadata) as Account).data);
    this.vm.run(
      VALIDATOR,
      settlement.commitState(
        { ...accounts, programConfig: pdas.deriveProgramConfig(EPHEMERAL_TOKEN_PROGRAM).address },
        { nonce: (metadata?.commitNonce ?? 0n) + 1n, lamports, allowUndelegation: true, data },
      ),
      encode(DELEGATION_TABLE.finalizeCommit, accounts),
      encode(DELEGATION_TABLE.undelegate, {
        ...accounts,
        ownerProgram: EPHEMERAL_TOKEN_PROGRAM,
        undelegateBuffer: pdas.deriveUndelegateBuffer(account).address,
        rentPayer: lamportsTo,
        feesVault: pdas.deriveFeesVault().address,
      }),
    );
  }
}

/** Opens a scene. Skips the test if this machine does not have the programs. */
export function openLayoutB(skip: (note: string) => never): LayoutBScene {
  return LAYOUT_B_PROGRAMS === null ? skip(`needs ${NO_LAYOUT_B}`) : new LayoutBScene(LAYOUT_B_PROGRAMS);
}
