/** The key of lamports among amounts by mint. Wrapped SOL counts under its own mint. */
export const SOL = 'SOL';

/** Base units or lamports: decimal text in the service's answers, bigints in the typed client. */
type Amount = bigint | string;

interface TokenChange {
  readonly owner: string | null;
  readonly account: string | null;
  readonly mint: string | null;
  readonly held: string | null;
  readonly change: Amount | null;
}

/** The members of an explanation that a policy judges. */
export interface JudgedExplanation {
  readonly chainRead: boolean;
  readonly signers: readonly { readonly address: string }[];
  readonly wallet?:
    | {
        readonly address: string;
        readonly tokens: readonly TokenChange[];
        readonly lamportsMin: Amount | null;
      }
    | undefined;
  readonly effects: {
    readonly tokens: readonly TokenChange[];
    readonly lamports: readonly { readonly address: string; readonly change: Amount }[];
  };
  readonly instructions: readonly {
    readonly programId: string;
    readonly accounts: readonly { readonly role: string; readonly address: string }[];
    readonly fields: readonly { readonly name: string; readonly value: string }[];
  }[];
  readonly findings: readonly Finding[];
}

interface Finding {
  readonly level: 'danger' | 'caution' | 'note';
  readonly code: string;
  readonly message: string;
}

/** The spending of a transaction, and the parties that it trusts. */
export interface Spending {
  /** Base units by mint that leave the wallets; lamports under {@link SOL}, with fee and rent at most. */
  readonly amounts: ReadonlyMap<string, bigint>;
  /** Whether every amount and mint is known, and a ledger was read. */
  readonly isKnown: boolean;
  /** Owners that receive tokens or lamports, or their accounts if the owner is unknown. */
  readonly recipients: readonly string[];
  /** Whether a recipient is encrypted or not shown. */
  readonly hidesRecipient: boolean;
  readonly programs: readonly string[];
  readonly validators: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * Reads the spending from explanations of one transaction, one for each wallet that will sign it. Deposits
 * and withdrawals count, because the tokens leave a balance of the wallet. Tokens of owners that do not sign
 * count too, because a wallet can be their delegate.
 */
export function readSpending(first: JudgedExplanation, ...others: readonly JudgedExplanation[]): Spending {
  const explanations = [first, ...others];
  const wallets = explanations.flatMap(({ wallet }) => wallet ?? []);
  const own = new Set(wallets.map(({ address }) => address));
  const leaving = [...wallets.flatMap(({ tokens }) => tokens), ...tokensOfOthers(first, own)].filter(
    ({ change }) => change === null || BigInt(change) < 0n,
  );
  const amounts = new Map<string, bigint>();
  const take = (mint: string, amount: bigint): void => {
    if (amount > 0n) amounts.set(mint, (amounts.get(mint) ?? 0n) + amount);
  };
  for (const { mint, change } of leaving) take(mint ?? 'an unknown mint', -BigInt(change ?? 0));
  for (const { lamportsMin } of wallets) take(SOL, -BigInt(lamportsMin ?? 0));
  return {
    amounts,
    isKnown:
      wallets.length === explanations.length &&
      explanations.every(({ chainRead }) => chainRead) &&
      leaving.every(({ mint, change }) => mint !== null && change !== null) &&
      wallets.every(({ lamportsMin }) => lamportsMin !== null),
    ...readRecipients(first, own),
    programs: unique(first.instructions.map(({ programId }) => programId)),
    validators: unique(namedIn(first, 'validator')),
    findings: explanations.flatMap(({ findings }) => findings),
  };
}

/** Lists the changes of owners that do not sign. The vault pays out what an owner withdraws. */
function tokensOfOthers(
  { effects, signers }: JudgedExplanation,
  own: ReadonlySet<string>,
): readonly TokenChange[] {
  const signing = new Set([...own, ...signers.map(({ address }) => address)]);
  return effects.tokens.filter(
    ({ owner, held, change }) => held === null && change !== null && (owner === null || !signing.has(owner)),
  );
}

/** Lists the recipients. The vault's credit and the shuttle fee are parts of a payment to someone else. */
function readRecipients(
  explanation: JudgedExplanation,
  wallets: ReadonlySet<string>,
): Pick<Spending, 'recipients' | 'hidesRecipient'> {
  const { tokens, lamports } = explanation.effects;
  const feeAccounts = new Set(namedIn(explanation, 'rentPda'));
  const credits = tokens.filter(
    ({ change, held }) => held !== 'vault' && (change === null || BigInt(change) > 0n),
  );
  const found = [
    ...credits.map(({ owner, account }) => owner ?? account),
    ...lamports.flatMap(({ address, change }) =>
      BigInt(change) > 0n && !feeAccounts.has(address) ? [address] : [],
    ),
  ];
  return {
    recipients: unique(found.filter((each) => each !== null)).filter((each) => !wallets.has(each)),
    hidesRecipient: found.includes(null),
  };
}

/** Lists the values of all fields and account roles with this name. */
const namedIn = ({ instructions }: Pick<JudgedExplanation, 'instructions'>, name: string): string[] =>
  instructions.flatMap(({ fields, accounts }) => [
    ...fields.filter((field) => field.name === name).map(({ value }) => value),
    ...accounts.filter(({ role }) => role === name).map(({ address }) => address),
  ]);

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
