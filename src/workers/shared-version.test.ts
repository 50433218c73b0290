import { expect, it, onTestFinished } from 'vitest';
import { createVersionReader, VersionFile } from './shared-version.ts';

it('a version is read as it was written last, and another one after each change', () => {
  const file = new VersionFile();
  onTestFinished(() => file.close());
  const read = createVersionReader(file.fd);
  const seen = new Set([read()]);
  for (let change = 0; change < 300; change++) {
    file.advance();
    expect(read()).toBe(file.version);
    seen.add(read());
  }
  expect(seen.size).toBe(301);
});
