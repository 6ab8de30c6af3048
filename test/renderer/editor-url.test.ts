import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatVsCodeUrl } from '../../src/renderer/features/preview/editor-url.ts';

describe('the address of a file in Visual Studio Code', () => {
  it('names a file and a line, on Windows too', () => {
    assert.equal(
      formatVsCodeUrl('/src/my shop', 'shop/cart.py', 12),
      'vscode://file/src/my%20shop/shop/cart.py:12',
    );
    assert.equal(
      formatVsCodeUrl('C:\\src\\shop', 'shop/cart.py', 1),
      'vscode://file/C:/src/shop/shop/cart.py:1',
    );
    assert.equal(formatVsCodeUrl('/', 'a.py', 3), 'vscode://file/a.py:3');
  });

  it('encodes what could end the path or change the address', () => {
    const url = formatVsCodeUrl('/src', 'a?windowId=_blank#%2e%2e\\"<é:5@x/b.py', 7) ?? '';
    assert.match(url, /^vscode:\/\/file\/src\/[\w.%-]+\/b\.py:7$/);
    const { protocol, host, search, hash, username } = new URL(url);
    assert.deepEqual([protocol, host, search, hash, username], ['vscode:', 'file', '', '', '']);
    assert.ok(decodeURIComponent(url).includes('a?windowId=_blank#%2e%2e\\"<é:5@x'));
  });

  it('is refused for other paths than those of files on this machine', () => {
    for (const [root, path, line] of [
      ['\\\\server\\share', 'a.py', 1],
      ['//server/share', 'a.py', 1],
      ['src', 'a.py', 1],
      ['javascript:alert(1)', 'a.py', 1],
      ['/src', '../a.py', 1],
      ['/src', 'a/../../b.py', 1],
      ['/src/../x', 'a.py', 1],
      ['/src', '', 1],
      ['/src', '/etc/passwd', 1],
      ['/src', 'a\n.py', 1],
      ['/src', 'a\ud800.py', 1],
      ['/src', 'a.py', 0],
      ['/src', 'a.py', Number.NaN],
    ] as const) {
      assert.equal(formatVsCodeUrl(root, path, line), null, `${root} ${path} ${line}`);
    }
  });
});
