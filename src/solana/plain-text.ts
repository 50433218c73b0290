/**
 * Letters a text may have that a wallet signs; it begins with a visible one or a space. A text of them is
 * never the message of a transaction: its first byte would ask for 32 signatures and more, whose keys alone
 * are 1,024 bytes.
 */
const PLAIN_TEXT = /^[\x20-\x7e][\x20-\x7e\r\n\t]{0,1023}$/;

/** Whether a text is plain ASCII of 1 to 1,024 letters: a signature over it is none of a transaction. */
export const isPlainText = (text: string): boolean => PLAIN_TEXT.test(text);
