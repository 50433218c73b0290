/** What a typing error or a swapped letter leaves of the 32 to 44 letters of an address. */
const RUN_MIN = 30;
const RUN_MAX = 46;

/** Letters and digits on end, those of other scripts too: some of them look like Latin ones. */
const RUNS = /[\p{L}\p{M}\p{N}]+/gu;

/** Characters that nobody sees; a space is seen. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;

const KINDS = [/[A-Z]/, /[a-z]/, /[0-9]/];

/** An identifier in hexadecimal digits, of one case. Hardly any address has no other letters. */
const HEXADECIMAL = /^(?:[0-9a-f]+|[0-9A-F]+)$/;

/**
 * Whether a text that is no address has a part that could be taken for one: 30 to 46 letters and digits on
 * end, of more than one kind (capitals, small letters, digits). Base58 leaves out `0`, `O`, `I` and `l`
 * since they look like others, but a text that has one of them in place of another is no base58 at all.
 */
export const isLikeAddress = (text: string): boolean =>
  (text.normalize('NFKC').replaceAll(UNSEEN, '').match(RUNS) ?? []).some(isLikeOne);

function isLikeOne(run: string): boolean {
  const { length } = [...run];
  if (length < RUN_MIN || length > RUN_MAX || HEXADECIMAL.test(run)) return false;
  return KINDS.filter((kind) => kind.test(run)).length > 1;
}
