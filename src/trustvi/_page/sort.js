"use strict";
// A click on a column's title sorts its table; another click turns the order round.
// Rows that are equal keep their order, and cells without a value stay at the end.
for (const table of document.querySelectorAll("table")) {
  const titles = [...table.tHead.rows[0].cells];
  titles.forEach((title, column) => {
    title.querySelector("button").addEventListener("click", () => {
      const up = title.getAttribute("aria-sort") !== "ascending";
      titles.forEach((other) => other.removeAttribute("aria-sort"));
      title.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
      const compare = title.classList.contains("text")
        ? (a, b) => a.localeCompare(b, undefined, { numeric: true })
        : (a, b) => Number(a) - Number(b);
      const body = table.tBodies[0];
      const rows = [...body.rows].sort((a, b) => {
        const [left, right] = [key(a), key(b)];
        if (left === "" || right === "") return (left === "") - (right === "");
        return up ? compare(left, right) : compare(right, left);
      });
      body.append(...rows);
    });
  });
}
