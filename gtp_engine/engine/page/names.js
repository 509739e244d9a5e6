/** The name of the person at this browser, from the settings, for the seat that the person has. */

/** Tell the server the name, once for each game and seat. */
export function ownName(app) {
  const { store } = app;
  let told = "";
  store.on("state", ({ tree, seats }) => {
    const { name } = app.settings;
    const color = store.own;
    if (!name || !color || app.game || store.exercising) return;
    const now = `${store.hello.table} ${tree} ${color} ${name}`;
    if (seats[color].name === name || told === now) return;
    told = now;
    app.send("names", { names: { [color]: name } });
  });
}
