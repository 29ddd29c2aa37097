//! Counts the elements that an HTML parser creates from a text, and measures their depth.
//!
//! A parser ignores some closing tags, and reopens formatting elements that were not closed. A short text can therefore become a large
//! tree, which only the parser itself can measure. The text is parsed in small chunks, and parsing stops when a limit is exceeded.

use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName, local_name, ns, parse_fragment};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// Number of bytes after which the size of the tree is checked.
const PART: usize = 64;

/// Number of elements, and of levels, that the parser adds around a text.
const ADDED_ELEMENTS: usize = 2;
const ADDED_LEVELS: usize = 1;

/// Checks the number and depth of the elements that an HTML parser creates from a text. Returns a message if a limit is exceeded.
pub(super) fn check_tree(text: &str, max_levels: usize, max_elements: usize) -> Result<(), String> {
    let tree = Tree::default();
    tree.0.borrow_mut().max_levels = max_levels + ADDED_LEVELS;
    let context = QualName::new(None, ns!(html), local_name!("div"));
    // The same parser with the same settings as in `ammonia`, which cleans the text later.
    let mut parser = parse_fragment(tree.clone(), ParseOpts::default(), context, Vec::new(), false);
    let check = || {
        let nodes = tree.0.borrow();
        if nodes.is_too_deep {
            return Err(format!("has elements more than {max_levels} deep within each other"));
        }
        if nodes.elements > max_elements + ADDED_ELEMENTS {
            return Err(format!(
                "has more than {max_elements} elements; elements such as `b` that are not closed count in each paragraph"
            ));
        }
        Ok(())
    };
    let mut rest = text;
    while !rest.is_empty() {
        let end = (PART..rest.len()).find(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        parser.process(StrTendril::from(part));
        check()?;
        rest = after;
    }
    parser.finish();
    tree.0.borrow_mut().check_all_levels();
    check()
}

/// Sink for the tree that the HTML parser builds. Ignores text and attributes.
#[derive(Clone, Default)]
struct Tree(Rc<RefCell<Nodes>>);

/// Nodes of the tree. The handle of a node is its index in each list.
#[derive(Default)]
struct Nodes {
    names: Vec<QualName>,
    parents: Vec<Option<usize>>,
    /// Handle of the content of each `template` element.
    templates: Vec<Option<usize>>,
    /// Whether the node is an `annotation-xml` element that can contain HTML.
    integration_points: Vec<bool>,
    elements: usize,
    max_levels: usize,
    is_too_deep: bool,
}

/// Handle of the document.
const DOCUMENT: usize = 0;

impl Nodes {
    /// Adds a node and returns its handle.
    fn add(&mut self, name: QualName) -> usize {
        if self.names.is_empty() {
            self.push(nameless());
        }
        self.push(name)
    }

    fn push(&mut self, name: QualName) -> usize {
        self.names.push(name);
        self.parents.push(None);
        self.templates.push(None);
        self.integration_points.push(false);
        self.names.len() - 1
    }

    /// Makes `parent` the parent of `node`. Sets `is_too_deep` if the node is too deep.
    fn put(&mut self, node: usize, parent: usize) {
        self.parents[node] = Some(parent);
        self.is_too_deep |= self.is_deep(node);
    }

    fn is_deep(&self, node: usize) -> bool {
        let above = std::iter::successors(self.parents[node], |node| self.parents[*node]);
        above.filter(|node| *node != DOCUMENT).take(self.max_levels + 1).count() > self.max_levels
    }

    /// Sets `is_too_deep` if any node is too deep. Nodes may become deeper when the parser inserts a node between others.
    fn check_all_levels(&mut self) {
        self.is_too_deep |= (0..self.names.len()).any(|node| self.is_deep(node));
    }
}

/// Returns the name of nodes that are not elements.
fn nameless() -> QualName {
    QualName::new(None, ns!(), local_name!(""))
}

/// Name of an element, for the parser.
#[derive(Debug)]
struct Name(QualName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Tree {
    type Handle = usize;
    type Output = ();
    type ElemName<'a> = Name;

    fn finish(self) {}

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a usize) -> Name {
        Name(self.0.borrow().names[*target].clone())
    }

    fn create_element(&self, name: QualName, _attributes: Vec<Attribute>, flags: ElementFlags) -> usize {
        let mut nodes = self.0.borrow_mut();
        nodes.elements += 1;
        let node = nodes.add(name);
        nodes.integration_points[node] = flags.mathml_annotation_xml_integration_point;
        if flags.template {
            let content = nodes.add(nameless());
            nodes.put(content, node);
            nodes.templates[node] = Some(content);
        }
        node
    }

    fn create_comment(&self, _text: StrTendril) -> usize {
        self.0.borrow_mut().add(nameless())
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> usize {
        self.0.borrow_mut().add(nameless())
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        if let NodeOrText::AppendNode(node) = child {
            self.0.borrow_mut().put(node, *parent);
        }
    }

    fn append_based_on_parent_node(&self, element: &usize, previous: &usize, child: NodeOrText<usize>) {
        let parent = self.0.borrow().parents[*element];
        self.append(&parent.unwrap_or(*previous), child);
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn get_template_contents(&self, target: &usize) -> usize {
        self.0.borrow().templates[*target].unwrap_or(*target)
    }

    fn same_node(&self, one: &usize, other: &usize) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        let parent = self.0.borrow().parents[*sibling];
        self.append(&parent.unwrap_or(DOCUMENT), child);
    }

    fn add_attrs_if_missing(&self, _target: &usize, _attributes: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &usize) {
        self.0.borrow_mut().parents[*target] = None;
    }

    fn reparent_children(&self, node: &usize, new_parent: &usize) {
        let mut nodes = self.0.borrow_mut();
        nodes
            .parents
            .iter_mut()
            .filter(|parent| **parent == Some(*node))
            .for_each(|parent| *parent = Some(*new_parent));
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &usize) -> bool {
        self.0.borrow().integration_points[*target]
    }
}
