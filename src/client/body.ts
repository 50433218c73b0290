/** The longest answer that is read, bytes: an explanation of the largest transaction is far shorter. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

/** The text of a body; null if it is longer than an answer of the service can be. */
export async function readText({ body }: Response): Promise<string | null> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > ANSWER_BYTES_MAX) {
      // What is thrown away may go on for ever: nothing waits for its end.
      reader.cancel().catch(() => undefined);
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
