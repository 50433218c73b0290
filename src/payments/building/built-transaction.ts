import { z } from 'zod';
import type { Chain, LedgerClient, Rollup } from '../../chain/chain.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import type { Instruction } from '../../solana/instruction.ts';
import {
  type CompiledMessage,
  compileLegacyMessage,
  encodeUnsignedTransaction,
  encodeUnsignedV1,
  type MessageSource,
} from '../../solana/message.ts';
import { SIGNATURE_BYTES } from '../../solana/signature.ts';
import { TRANSACTION_BYTES_MAX } from '../../solana/transaction.ts';
import { compileV0Message, compileV1Message, type LookupTable } from '../../solana/versioned-message.ts';
import { cosign, type Sponsor, type SponsoredTransaction } from '../fees/sponsor.ts';

const warning = z.object({
  code: z.string().meta({ description: 'Stable name of the condition.' }),
  message: z.string().meta({ description: 'What is wrong and how to fix it.' }),
});

export type Warning = z.infer<typeof warning>;

/** Members of every result with an unsigned transaction. */
export const builtTransactionMembers = {
  version: z.enum(['legacy', 'v0', 'v1']).meta({ description: 'Form of the transaction.' }),
  transactionBase64: z.string().meta({
    description:
      'The unsigned transaction, base64. Every signature is 64 zero bytes, except the signature of a sponsor that pays for it.',
  }),
  sendTo: z
    .enum(['base', 'ephemeral'])
    .meta({ description: 'Where to send the signed transaction: the base ledger or the rollup.' }),
  recentBlockhash: z.string().meta({ description: 'The blockhash it was built on, base58.' }),
  lastValidBlockHeight: z
    .int()
    .min(0)
    .meta({ description: 'The last block height at which the network accepts the transaction.' }),
  instructionCount: z.int().min(0).meta({ description: 'Number of instructions in the transaction.' }),
  requiredSigners: z.array(z.string()).meta({
    description: 'Addresses that must sign, in the order of the signatures; the first pays the fee.',
  }),
};

/** Result member for operations that can build transactions for the rollup. */
export const sendRpcEndpointMember = {
  sendRpcEndpoint: z.string().optional().meta({
    description:
      "The rollup's RPC endpoint to send the signed transaction to. Absent when it goes to the base ledger, and when the operator does not show the endpoint.",
  }),
};

/** The two ledgers of a cluster. */
export type Location = 'base' | 'ephemeral';

/** The values of {@link builtTransactionMembers} and {@link sendRpcEndpointMember}. */
export type BuiltTransaction = z.infer<
  z.ZodObject<typeof builtTransactionMembers & typeof sendRpcEndpointMember>
>;

/** Options for a transaction, in addition to its instructions. */
export interface BuildOptions {
  /** The ledger that runs the transaction and provides its blockhash. Default: base. */
  readonly sendTo?: Location;
  /** The caller's bearer token for the rollup. */
  readonly token?: string | undefined;
  /** Lookup table for the v0 form. Without a table the transaction is legacy. */
  readonly lookupTable?: LookupTable | null;
  /** Whether to use version 1 if the transaction is too large for the other forms. Default: false. */
  readonly mayBeV1?: boolean;
  /** Sponsor that pays and signs instead of the caller; null if the caller pays. */
  readonly sponsored?:
    | ({ readonly sponsor: Sponsor } & Pick<SponsoredTransaction, 'lamports' | 'client'>)
    | null;
  /** Ways to make the transaction smaller, each a clause such as "leave out memo". */
  readonly sizeAdvice?: readonly string[];
}

/**
 * Builds an unsigned transaction on the newest blockhash of its ledger. It uses the v0 form if the lookup
 * table makes it smaller, otherwise the legacy form. If neither fits, it uses version 1 when allowed.
 *
 * @throws {ServiceError} TRANSACTION_TOO_LARGE if no form fits; UNSUPPORTED_ON_CLUSTER if the cluster has no
 *   rollup to send to, or if the ledger does not accept version 1.
 */
export async function buildTransaction(
  chain: Chain,
  feePayer: Address,
  instructions: readonly Instruction[],
  options: BuildOptions = {},
): Promise<BuiltTransaction> {
  const { sendTo = 'base', token, lookupTable = null, sponsored = null, sizeAdvice = [] } = options;
  const ledger = sendTo === 'base' ? chain : rollupOf(chain);
  const { blockhash, lastValidBlockHeight } = await ledger.latestBlockhash(
    sendTo === 'base' ? undefined : token,
  );
  const source = { feePayer, blockhash: decodeBase58(blockhash), instructions };
  const form = chooseForm(source, lookupTable);
  const isV1 = options.mayBeV1 === true && sponsored === null && !isSmall(form.message);
  const { version, message } = isV1
    ? { version: 'v1' as const, message: compileV1Message(source, V1_LIMITS) }
    : form;
  const wire = isV1 ? encodeUnsignedV1(message, sizeAdvice) : encodeUnsignedTransaction(message, sizeAdvice);
  if (isV1) await requireV1(ledger, chain, wire, sendTo === 'base' ? undefined : token);
  if (sponsored !== null) {
    const { sponsor, lamports, client } = sponsored;
    const landing = { ledger, lastValidBlockHeight };
    await cosign(wire, message, instructions, sponsor, { lamports, client, ...landing });
  }
  const sendRpcEndpoint = sendTo === 'base' ? null : rollupOf(chain).publicUrl;
  return {
    version,
    transactionBase64: Buffer.from(wire.buffer, wire.byteOffset, wire.length).toString('base64'),
    sendTo,
    recentBlockhash: blockhash,
    lastValidBlockHeight,
    instructionCount: instructions.length,
    requiredSigners: [...message.signers],
    ...(sendRpcEndpoint === null ? {} : { sendRpcEndpoint }),
  };
}

/** The highest allowed limits (Agave `MAX_COMPUTE_UNIT_LIMIT`, `MAX_LOADED_ACCOUNTS_DATA_SIZE_BYTES`). */
const V1_LIMITS = { computeUnits: 1_400_000, loadedBytes: 64 * 1024 * 1024 };

/**
 * Simulates a version 1 transaction, because only a simulation shows whether the ledger accepts the version.
 * Other failures show up later, as for other versions.
 */
async function requireV1(
  ledger: LedgerClient,
  { cluster }: Chain,
  wire: Uint8Array,
  token: string | undefined,
): Promise<void> {
  let isAccepted: boolean;
  try {
    isAccepted = (await ledger.simulateTransaction(wire, [], token)).err !== 'UnsupportedVersion';
  } catch (error) {
    // Nodes that cannot parse version 1 reject the call.
    if (!isServiceError(error, 'UPSTREAM_REJECTED')) throw error;
    isAccepted = false;
  }
  if (isAccepted) return;
  throw new ServiceError(
    'UNSUPPORTED_ON_CLUSTER',
    `Cluster ${cluster} does not accept version 1 transactions: leave out transactionVersion`,
    { cluster, field: 'transactionVersion' },
  );
}

/** Warns if the transaction is for a rollup whose endpoint is not shown. */
export function endpointWarnings(built: BuiltTransaction): Warning[] {
  if (built.sendTo === 'base' || built.sendRpcEndpoint !== undefined) return [];
  return [
    {
      code: 'SEND_ENDPOINT_NOT_SHOWN',
      message:
        'The transaction is for the rollup, and this service does not show its RPC endpoint. Send it with spl.sendTransaction and sendTo "ephemeral", or to the endpoint you were given for that rollup. The base ledger would reject it.',
    },
  ];
}

function rollupOf(chain: Chain): Rollup {
  if (chain.rollup !== null) return chain.rollup;
  throw new ServiceError(
    'UNSUPPORTED_ON_CLUSTER',
    `Cluster ${chain.cluster} has no rollup, so the transaction cannot be sent; pass another cluster`,
    { cluster: chain.cluster },
  );
}

function chooseForm(
  source: MessageSource,
  table: LookupTable | null,
): { version: 'legacy' | 'v0'; message: CompiledMessage } {
  const legacy = compileLegacyMessage(source);
  if (table !== null) {
    const v0 = compileV0Message(source, table);
    // Both forms have the same signers, so the shorter message gives the shorter transaction.
    if (v0.tableAccounts > 0 && v0.bytes.length < legacy.bytes.length) return { version: 'v0', message: v0 };
  }
  return { version: 'legacy', message: legacy };
}

/** Checks whether instructions fit into one legacy transaction. */
export function fits(feePayer: Address, instructions: readonly Instruction[]): boolean {
  return isSmall(compileLegacyMessage({ feePayer, blockhash: new Uint8Array(32), instructions }));
}

/** Checks whether a message's transaction is within the size limit of all versions except 1. */
export const isSmall = ({ bytes, signers }: CompiledMessage): boolean =>
  1 + SIGNATURE_BYTES * signers.length + bytes.length <= TRANSACTION_BYTES_MAX;

/** The contents of a transaction and notes on it, before it is compiled with a blockhash. */
export interface Draft {
  readonly instructions: readonly Instruction[];
  readonly warnings: readonly Warning[];
  /** Sentences about effects that the operation's name does not imply. */
  readonly notes: readonly string[];
}

/** Result member for warnings. */
export const warningsMember = {
  warnings: z
    .array(warning)
    .optional()
    .meta({ description: 'What to fix before sending; absent if there is nothing to fix.' }),
};

export const warningsOf = (warnings: readonly Warning[]): { warnings?: Warning[] } =>
  warnings.length === 0 ? {} : { warnings: [...warnings] };

/** The `notes` member of a result: facts that no other member contains. */
export const notesMember = {
  notes: z.array(z.string()).optional().meta({
    description:
      'Additional information in sentences, such as amounts in whole tokens. Absent if there is none.',
  }),
};

export const notesOf = (notes: readonly string[]): { notes?: string[] } =>
  notes.length === 0 ? {} : { notes: [...notes] };

/** Formats each warning as a sentence. */
export const warningSentences = (warnings: readonly Warning[]): string[] =>
  warnings.map(({ message }) => `Before sending: ${message}`);

/** Names of the two ledgers for use in sentences. */
export const LEDGERS = { base: 'the base ledger', ephemeral: 'the rollup' } as const;

/** Builds the result of an operation that builds transactions. `members` excludes notes and warnings. */
export const presentBuilt = <const Members extends { readonly kind: string }>(
  title: string,
  members: Members,
  texts: {
    readonly does: string;
    /** Advice on signing and sending, with the deadline. */
    readonly next: string;
    readonly notes?: readonly string[];
    readonly warnings: readonly Warning[];
  },
) => {
  const { does, next, notes = [], warnings } = texts;
  return {
    output: { ...members, ...notesOf([does, ...notes]), ...warningsOf(warnings) },
    sentences: [title, `${does} ${next}`, ...notes, ...warningSentences(warnings)],
  };
};

/** Advises how to sign and send a built transaction, and by when. */
export const signingAdvice = (signer: string, { sendTo, lastValidBlockHeight }: BuiltTransaction): string =>
  `Sign it as ${signer} and send it to ${LEDGERS[sendTo]} before block height ${lastValidBlockHeight} has passed.`;
