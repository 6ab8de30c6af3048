/**
 * Keeps an option of a cmdk list active and says which, for as long as the list is there. cmdk itself chooses the first
 * only where it chose none before: where answers come later than the typing, what it chose is gone with the answer
 * before, and Enter would do nothing. And it says which is active only when another value is chosen, not for the
 * first option, nor when options are made anew.
 * @param root the element of `Command`, as its `ref`.
 */
export function tellActiveOption(root: HTMLElement | null): (() => void) | undefined {
  if (!root) return undefined;
  const observer = new MutationObserver(tell);
  const attributeFilter = ['aria-selected', 'aria-activedescendant'];
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter });
  tell();
  return () => observer.disconnect();

  function tell(): void {
    const chosen = root?.querySelector('[role=option][aria-selected=true]');
    if (!chosen && root?.querySelector('[role=option]')) {
      root.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }));
    }
    const active = chosen?.id ?? '';
    for (const control of root?.querySelectorAll('[role=combobox], [role=listbox]') ?? []) {
      // Told anew, an equal value would be a change to be told of.
      if ((control.getAttribute('aria-activedescendant') ?? '') === active) continue;
      if (active) control.setAttribute('aria-activedescendant', active);
      else control.removeAttribute('aria-activedescendant');
    }
  }
}
