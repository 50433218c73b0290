/** Caps of a mint, in base units; for SOL in lamports. Unset caps do not apply. */
export interface MintCaps {
  readonly payment?: bigint | undefined;
  readonly hour?: bigint | undefined;
  readonly day?: bigint | undefined;
  /** A payment above this amount needs the approval of a person. */
  readonly askAbove?: bigint | undefined;
}

/** Rules for the money of wallets that a program signs for. */
export interface SpendingPolicy {
  /** Caps by mint; `SOL` is lamports, including fees and rent. Mints that are not listed cannot be spent. */
  readonly mints: Readonly<Record<string, MintCaps>>;
  /** The only allowed recipients, if set: owners of token accounts, and wallets that receive SOL. */
  readonly recipients?: readonly string[] | undefined;
  /** The only programs, if set. */
  readonly programs?: readonly string[] | undefined;
  /** The only validators, if set. They receive delegated tokens and may learn the recipient. */
  readonly validators?: readonly string[] | undefined;
  /** Codes of cautions that need no approval. */
  readonly accept?: readonly string[] | undefined;
  /** The wallet of the person who can approve a payment, for servers that ask on a page. */
  readonly approver?: string | undefined;
  /** Whether to judge every payment and allow none. */
  readonly dryRun?: boolean | undefined;
}

const CAPS = ['payment', 'hour', 'day', 'askAbove'] as const;
const LISTS = ['recipients', 'programs', 'validators', 'accept'] as const;
const MEMBERS = ['mints', ...LISTS, 'approver', 'dryRun'];

/**
 * Reads a policy from parsed JSON, or copies one. Amounts are bigints, safe integers or decimal strings.
 *
 * @throws {TypeError} if a member is unknown or invalid. A misspelled rule must not be ignored.
 */
export function readPolicy(given: unknown): SpendingPolicy {
  const members = membersOf(given, 'the policy', MEMBERS);
  const lists = LISTS.flatMap((name) => {
    const list = members[name];
    if (list === undefined) return [];
    if (Array.isArray(list) && list.every((each) => typeof each === 'string')) return [[name, [...list]]];
    throw new TypeError(`${name} must be an array of strings`);
  });
  const { dryRun, approver } = members;
  if (approver !== undefined && typeof approver !== 'string') {
    throw new TypeError('approver must be the address of a wallet');
  }
  if (dryRun !== undefined && typeof dryRun !== 'boolean')
    throw new TypeError('dryRun must be true or false');
  const mints = Object.entries(membersOf(members['mints'], 'mints')).map(([mint, caps]) => [
    mint,
    readCaps(`mints.${mint}`, caps),
  ]);
  return {
    ...Object.fromEntries(lists),
    mints: Object.fromEntries(mints),
    ...(approver !== undefined && { approver }),
    ...(dryRun === true && { dryRun }),
  };
}

function readCaps(path: string, given: unknown): MintCaps {
  const caps = membersOf(given, path, CAPS);
  return Object.fromEntries(
    Object.entries(caps)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, readAmount(`${path}.${name}`, value)]),
  );
}

function readAmount(path: string, value: unknown): bigint {
  const isAmount =
    (typeof value === 'bigint' && value >= 0n) ||
    (Number.isSafeInteger(value) && Number(value) >= 0) ||
    (typeof value === 'string' && /^\d{1,20}$/.test(value));
  if (isAmount) return BigInt(value as bigint);
  throw new TypeError(`${path} must be a whole number of base units, such as "1500000"`);
}

/** Returns the members of an object; with `names`, only these are allowed. */
function membersOf(value: unknown, path: string, names?: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${path} must be an object`);
  }
  const unknown = Object.keys(value).find((name) => names !== undefined && !names.includes(name));
  if (unknown === undefined) return value as Record<string, unknown>;
  throw new TypeError(`${path} has no member ${unknown}: the members are ${names?.join(', ')}`);
}
