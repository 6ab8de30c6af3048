/**
 * Keeps an option of a cmdk list active, and sets `aria-activedescendant` to it, while the list is mounted. This works around
 * two limits of cmdk. It activates the first option only if none was active before; if options arrive after typing, the
 * active one disappears with the old options, and Enter does nothing. And it sets `aria-activedescendant` only if the value
 * changes, not for the first option or for recreated options.
 * @param root the element of `Command`, passed as its `ref`.
 */
export function trackActiveOption(root: HTMLElement | null): (() => void) | undefined {
  if (!root) return undefined;
  const observer = new MutationObserver(update);
  const attributeFilter = ['aria-selected', 'aria-activedescendant'];
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter });
  update();
  return () => observer.disconnect();

  function update(): void {
    const chosen = root?.querySelector('[role=option][aria-selected=true]');
    if (!chosen && root?.querySelector('[role=option]')) {
      root.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }));
    }
    const active = chosen?.id ?? '';
    for (const control of root?.querySelectorAll('[role=combobox], [role=listbox]') ?? []) {
      // Setting an equal value would trigger the observer again.
      if ((control.getAttribute('aria-activedescendant') ?? '') === active) continue;
      if (active) control.setAttribute('aria-activedescendant', active);
      else control.removeAttribute('aria-activedescendant');
    }
  }
}
