import { ServiceError } from '../errors/service-error.ts';
import { createAtaIdempotent, deriveAta } from '../programs/associated-token.ts';
import { addMemo } from '../programs/memo.ts';
import { transferLamports } from '../programs/system.ts';
import { mintTo } from '../programs/token/instructions.ts';
import { decodeMint } from '../programs/token/state.ts';
import type { Address } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import type { Instruction } from '../solana/instruction.ts';
import { compileLegacyMessage } from '../solana/message.ts';
import { describeTransactionError } from './describe-transaction-error.ts';
import { signTransaction, type Keypair } from './keypair.ts';
import type { Ledger } from './ledger.ts';
import { isTokenProgram } from '../programs/token/token-program.ts';

const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** Gives lamports and tokens away by transactions like anybody's: signed, in a slot, in the history. */
export class Faucet {
  readonly #keypair: Keypair;
  readonly #ledger: Pick<Ledger, 'head' | 'getAccount' | 'submit'>;
  #count = 0;

  constructor(keypair: Keypair, ledger: Pick<Ledger, 'head' | 'getAccount' | 'submit'>) {
    this.#keypair = keypair;
    this.#ledger = ledger;
  }

  /**
   * Transfers `lamports` to `owner`; resolves with the signature.
   *
   * @throws {ServiceError} INVALID_AMOUNT outside of u64, INVALID_ARGUMENTS when the transfer fails: the faucet holds
   * less, or the account would hold less than its rent.
   */
  airdrop(owner: Address, lamports: bigint): Promise<string> {
    assertU64(lamports, 'lamports');
    return this.#send([transferLamports(this.#keypair.address, owner, lamports)]);
  }

  /**
   * Mints `amount` base units to the owner's ATA, which is made where it is missing; resolves with the signature.
   *
   * @throws {ServiceError} MINT_NOT_FOUND, INVALID_AMOUNT outside of u64, INVALID_ARGUMENTS when the faucet is not the
   * mint's authority or minting fails.
   */
  airdropTokens(owner: Address, mint: Address, amount: bigint): Promise<string> {
    assertU64(amount, 'amount');
    const tokenProgram = this.#mintProgram(mint);
    const payer = this.#keypair.address;
    const ata = deriveAta(owner, mint, tokenProgram).address;
    return this.#send([
      createAtaIdempotent({ payer, ata, owner, mint, tokenProgram }),
      mintTo(tokenProgram, { mint, destination: ata, authority: payer }, amount),
    ]);
  }

  #mintProgram(mint: Address): Address {
    const account = this.#ledger.getAccount(mint);
    const state = account !== null && isTokenProgram(account.owner) ? decodeMint(account.data) : null;
    if (account === null || state === null) {
      throw new ServiceError('MINT_NOT_FOUND', `${mint} is not a mint on this ledger`, { mint });
    }
    if (state.mintAuthority !== this.#keypair.address) {
      throw new ServiceError(
        'INVALID_ARGUMENTS',
        `The faucet cannot mint ${mint}: it is not the mint's authority`,
        { mint },
      );
    }
    return account.owner;
  }

  async #send(instructions: readonly Instruction[]): Promise<string> {
    const message = compileLegacyMessage({
      feePayer: this.#keypair.address,
      blockhash: decodeBase58(this.#ledger.head().blockhash),
      instructions: [...instructions, this.#numberMemo()],
    });
    const { signature, err } = await this.#ledger.submit(signTransaction(message, [this.#keypair]));
    if (err !== null) {
      throw new ServiceError('INVALID_ARGUMENTS', `The airdrop failed: ${describeTransactionError(err)}`, {
        signature,
      });
    }
    return signature;
  }

  /** Equal airdrops in one slot would be one and the same transaction; a number tells them apart. */
  #numberMemo(): Instruction {
    this.#count++;
    return addMemo(`airdrop ${this.#count}`);
  }
}

function assertU64(value: bigint, field: string): void {
  if (value >= 0n && value <= U64_MAX) return;
  throw new ServiceError('INVALID_AMOUNT', `${field} must be from 0 to ${U64_MAX}`, { field });
}
