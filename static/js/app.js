// The modules of the pages. Each looks for its data-* attribute and leaves pages
// without it alone; every page works when none of them runs.
import { focusFault } from "./focus.js";
import { copyButtons } from "./copy.js";
import { dialogLinks } from "./dialog.js";
import { sendOnce } from "./once.js";

focusFault(document);
copyButtons(document);
dialogLinks(document);
sendOnce(document);
