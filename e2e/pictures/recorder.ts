/** Records a page while a script uses it, as Chromium draws it. */
import type { CDPSession, Locator, Page } from 'playwright-core';
import type { Frame } from './frame.ts';

/** Shortest time between two frames, in milliseconds. */
const INTERVAL = 400;

/** Frames of a page from `start` to `stop`, with captions and the pointer, which a page without a screen does not show. */
export class Recorder {
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #frames: Frame[] = [];
  #caption = '';
  #pointer: Frame['pointer'] = null;
  #png = '';

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  static async start(page: Page): Promise<Recorder> {
    const session = await page.context().newCDPSession(page);
    const recorder = new Recorder(page, session);
    const first = Promise.withResolvers<void>();
    session.on('Page.screencastFrame', ({ data, sessionId }) => {
      recorder.#png = data;
      recorder.#add();
      first.resolve();
      // A page that closes meanwhile needs no answer.
      session.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
    });
    await session.send('Page.startScreencast', { format: 'png' });
    await first.promise;
    return recorder;
  }

  /** Changes the caption, and shows it for some milliseconds before the next step. */
  async say(caption: string, pause = 1800): Promise<void> {
    this.#caption = caption;
    await this.wait(pause);
  }

  /** Lets the page be seen for some milliseconds. */
  async wait(milliseconds: number): Promise<void> {
    this.#add();
    await this.#page.waitForTimeout(milliseconds);
  }

  /** Moves the pointer to the middle of an element. */
  async point(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (!box) throw new Error('The element to point at is hidden.');
    this.#pointer = { x: box.x + Math.min(box.width, 160) / 2, y: box.y + box.height / 2 };
    await this.#page.mouse.move(this.#pointer.x, this.#pointer.y);
    await this.wait(500);
  }

  /** Moves the pointer to an element, and clicks it. */
  async click(target: Locator): Promise<void> {
    await this.point(target);
    if (this.#pointer) await this.#page.mouse.click(this.#pointer.x, this.#pointer.y);
  }

  /** Hides the pointer, as for steps with the keyboard. */
  hidePointer(): void {
    this.#pointer = null;
  }

  /** Stops, and returns the frames: at most one for each interval, the last of it. */
  async stop(): Promise<Frame[]> {
    this.#add();
    await this.#session.send('Page.stopScreencast');
    const byInterval = new Map(
      this.#frames.map((frame) => [Math.floor(frame.at / INTERVAL), frame]),
    );
    return [...byInterval.values()];
  }

  #add(): void {
    const frame = { png: this.#png, caption: this.#caption, pointer: this.#pointer };
    this.#frames.push({ ...frame, at: performance.now() });
  }
}
