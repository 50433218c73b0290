import {
  type Connection,
  Keypair,
  PublicKey,
  sendAndConfirmTransaction,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { createAccount, loader, programDataOf } from '../../../src/ledger/testing/instructions.ts';
import { BPF_LOADER_UPGRADEABLE } from '../../../src/programs/addresses.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/instruction.ts';

/**
 * Sizes of `UpgradeableLoaderState`: before the code in a buffer and in ProgramData, and of a program
 * account.
 */
const BUFFER_HEADER_BYTES = 37;
const PROGRAM_DATA_HEADER_BYTES = 45;
const PROGRAM_BYTES = 36;
/** Bytes of code per write transaction of 1,232 bytes, the same as in the Solana CLI. */
const CHUNK_BYTES = 1_012;
/** Maximum parallel writes. */
const WRITES_AT_ONCE = 32;
/** Writes per blockhash. They must land before it expires. */
const WRITES_IN_ROUND = 128;
/** Maximum rounds: enough for 2.5 MB without repetitions. */
const ROUNDS_MAX = 20;

/** The keys and connection of a deployment. */
interface Deployer {
  readonly connection: Connection;
  /** Payer and upgrade authority. */
  readonly payer: Keypair;
}

/**
 * Deploys code like the Solana CLI: creates a buffer, writes to it in parallel, then calls
 * `DeployWithMaxDataLen`. Fails if a step fails or the buffer does not contain the code.
 */
export async function deployProgram(deployer: Deployer, program: Keypair, code: Buffer): Promise<void> {
  const buffer = await uploadCode(deployer, code);
  const { payer } = deployer;
  await land(
    deployer,
    [
      await emptyAccount(deployer, program, PROGRAM_BYTES),
      loader.deploy(ours(payer), ours(program), buffer, code.length),
    ],
    program,
  );
}

/** Reads the deployed code of a program. */
export async function deployedCode(
  { connection }: Deployer,
  program: PublicKey,
): Promise<Buffer | undefined> {
  const data = new PublicKey(programDataOf(program.toBase58() as Address));
  return (await connection.getAccountInfo(data))?.data.subarray(PROGRAM_DATA_HEADER_BYTES);
}

async function uploadCode(deployer: Deployer, code: Buffer): Promise<Address> {
  const { connection, payer } = deployer;
  const buffer = Keypair.generate();
  await land(
    deployer,
    [
      await emptyAccount(deployer, buffer, BUFFER_HEADER_BYTES + code.length),
      loader.initializeBuffer(ours(buffer), ours(payer)),
    ],
    buffer,
  );
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { data } = (await connection.getAccountInfo(buffer.publicKey)) ?? {};
    const missing = missingChunks(code, data?.subarray(BUFFER_HEADER_BYTES) ?? Buffer.alloc(0));
    if (missing.length === 0) return ours(buffer);
    await writeChunks(deployer, ours(buffer), missing.slice(0, WRITES_IN_ROUND));
  }
  throw new Error('the buffer does not hold the code');
}

interface Chunk {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** Returns the pieces of the code that are not yet written. */
function missingChunks(code: Buffer, written: Buffer): Chunk[] {
  const chunks = Array.from({ length: Math.ceil(code.length / CHUNK_BYTES) }, (_, at) => ({
    offset: at * CHUNK_BYTES,
    bytes: code.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES),
  }));
  return chunks.filter(({ offset, bytes }) => !bytes.equals(written.subarray(offset, offset + bytes.length)));
}

/** Sends the writes without confirming them. The next round repeats those that did not land. */
async function writeChunks({ connection, payer }: Deployer, buffer: Address, chunks: Chunk[]): Promise<void> {
  const latest = await connection.getLatestBlockhash();
  const write = async (): Promise<void> => {
    for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop()) {
      const transaction = new Transaction({ feePayer: payer.publicKey, ...latest });
      transaction.add(toWeb3(loader.write(buffer, ours(payer), chunk.offset, chunk.bytes)));
      transaction.sign(payer);
      // Verifying its own signature would double the time.
      const wire = transaction.serialize({ verifySignatures: false });
      await connection.sendRawTransaction(wire, { skipPreflight: true });
    }
  };
  await Promise.all(Array.from({ length: WRITES_AT_ONCE }, write));
}

async function emptyAccount({ connection, payer }: Deployer, created: Keypair, space: number) {
  const lamports = await connection.getMinimumBalanceForRentExemption(space);
  return createAccount(ours(payer), ours(created), {
    lamports: BigInt(lamports),
    space: BigInt(space),
    owner: BPF_LOADER_UPGRADEABLE,
  });
}

function land(
  { connection, payer }: Deployer,
  instructions: readonly Instruction[],
  ...signers: readonly Keypair[]
): Promise<string> {
  const transaction = new Transaction().add(...instructions.map(toWeb3));
  return sendAndConfirmTransaction(connection, transaction, [payer, ...signers]);
}

const ours = (of: Keypair): Address => of.publicKey.toBase58() as Address;

const toWeb3 = ({ programId, accounts, data }: Instruction): TransactionInstruction =>
  new TransactionInstruction({
    programId: new PublicKey(programId),
    keys: accounts.map(({ address, signer, writable }) => ({
      pubkey: new PublicKey(address),
      isSigner: signer,
      isWritable: writable,
    })),
    data: Buffer.from(data),
  });
