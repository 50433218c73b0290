/** A `jsonParsed` instruction. */
export interface ParsedInstruction {
  readonly programId: string;
  /** Present if the node knows the program. */
  readonly parsed?: unknown;
  /** Base58; present if the node does not know the program. */
  readonly data?: string;
  readonly accounts?: readonly string[];
}

/** The balance of a token account. */
export interface TokenBalance {
  readonly accountIndex: number;
  readonly uiTokenAmount: { readonly amount: string };
}

/** The fields of a `jsonParsed` transaction that are read. */
export interface ParsedTransaction {
  readonly slot: number;
  /** Seconds since 1970; null if the node does not know. */
  readonly blockTime: number | null;
  readonly transaction: {
    readonly signatures: readonly string[];
    readonly message: {
      readonly accountKeys: readonly { readonly pubkey: string }[];
      readonly instructions: readonly ParsedInstruction[];
    };
  };
  readonly meta: {
    readonly err: unknown;
    readonly fee: number | bigint;
    readonly computeUnitsConsumed?: number;
    readonly logMessages?: readonly string[] | null;
    readonly preTokenBalances?: readonly TokenBalance[] | null;
    readonly postTokenBalances?: readonly TokenBalance[] | null;
    readonly innerInstructions?:
      | readonly { readonly index: number; readonly instructions: readonly ParsedInstruction[] }[]
      | null;
  } | null;
}

/** The `getTransaction` options for this form. */
export const PARSED = { encoding: 'jsonParsed', maxSupportedTransactionVersion: 1 } as const;

/** Every instruction in execution order; inner instructions follow their caller. */
export function instructionsOf({ transaction, meta }: ParsedTransaction): readonly ParsedInstruction[] {
  return transaction.message.instructions.flatMap((instruction, index) => [
    instruction,
    ...(meta?.innerInstructions ?? [])
      .filter((inner) => inner.index === index)
      .flatMap((inner) => inner.instructions),
  ]);
}

/** The type and fields of a parsed instruction; null if the node did not parse it. */
export function factsOf({ parsed }: ParsedInstruction): {
  readonly type: string;
  readonly info: Readonly<Record<string, unknown>>;
} | null {
  if (typeof parsed !== 'object' || parsed === null || !('type' in parsed) || !('info' in parsed))
    return null;
  const { type, info } = parsed;
  if (typeof type !== 'string' || typeof info !== 'object' || info === null) return null;
  return { type, info: info as Record<string, unknown> };
}
