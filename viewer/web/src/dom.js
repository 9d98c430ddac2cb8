// What several parts of the page do with its elements.

/** @param {string} id */
export const byID = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const most = 6; // lines

/**
 * Writes a line below all others, of which the last ones stay.
 * @param {HTMLElement} line
 */
export function write(line) {
  const log = byID("log");
  log.append(line);
  while (log.childElementCount > most) log.firstElementChild?.remove();
}
