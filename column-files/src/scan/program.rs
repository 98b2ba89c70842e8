//! A plan as steps over registers of bits, so that work can stop between any two steps.
//!
//! A register holds one bit a row of a chunk, or one an element. Every step adds its answer to a register: bits stay where
//! it holds (AND), or are added where it holds (OR); what is decided already is not looked at again.

use dialect::{ColumnId, ListId};

use super::cost;
use super::kernel::How;
use super::plan::{Leaf, Node, elements_a_row};
use super::registers::Registers;
use super::source::Source;
use crate::view::CHUNK_ROWS;

/// Words of a register of rows.
pub(super) const ROW_WORDS: usize = CHUNK_ROWS as usize / 64;

/// Steps of a plan; the answer for a chunk is in the first register, which holds the wanted rows before.
#[derive(Debug)]
pub(super) struct Program {
    steps: Vec<Step>,
    registers: Vec<Vec<u64>>,
    /// The step that comes next.
    next: usize,
}

/// Where an answer goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    pub(super) register: usize,
    pub(super) how: How,
    /// Of an OR: the register of the bits that matter.
    pub(super) within: Option<usize>,
    /// Bits are elements of this list instead of rows.
    pub(super) elements: Option<ListId>,
}

#[derive(Debug)]
pub(super) enum Step {
    Codes {
        leaf: Leaf,
        into: Goal,
    },
    Derived {
        column: ColumnId,
        negated: bool,
        into: Goal,
    },
    Filled {
        list: ListId,
        negated: bool,
        into: Goal,
    },
    Constant {
        holds: bool,
        into: Goal,
    },
    /// Sets a register to zeros, or to the bits that are not decided in another one.
    Begin {
        register: usize,
        undecided: Option<Goal>,
        elements: Option<ListId>,
    },
    /// Sets a register to ones, one an element.
    Elements {
        register: usize,
        list: ListId,
    },
    /// Combines a register of the same form into `into`.
    Merge {
        from: usize,
        into: Goal,
    },
    /// Puts a register of elements in.
    Fold {
        from: usize,
        list: ListId,
        negated: bool,
        into: Goal,
    },
    /// Goes on at `to` if nothing is undecided.
    Decided {
        into: Goal,
        to: usize,
    },
    /// Looks at the elements of undecided rows one by one and goes on at `to`, if those rows are few.
    Few {
        list: ListId,
        node: Node,
        negated: bool,
        into: Goal,
        cost: Cost,
        to: usize,
    },
}

/// What a list condition costs, in nanoseconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    /// A chunk as a whole.
    pub(super) chunk: f64,
    /// One row alone.
    pub(super) row: f64,
}

impl Program {
    /// The steps of a plan.
    pub(super) fn of(source: &impl Source, node: &Node) -> Self {
        let mut program = Self {
            steps: Vec::new(),
            registers: vec![vec![0; ROW_WORDS]],
            next: 0,
        };
        let into = Goal {
            register: 0,
            how: How::And,
            within: None,
            elements: None,
        };
        program.add(source, node, into);
        program
    }

    /// The first register, to be given back: the wanted rows before, the answer after.
    pub(super) fn take_rows(&mut self) -> Vec<u64> {
        self.registers
            .first_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Gives the first register back.
    pub(super) fn give_rows(&mut self, rows: Vec<u64>) {
        if let Some(register) = self.registers.first_mut() {
            *register = rows;
        }
    }

    fn add(&mut self, source: &impl Source, node: &Node, into: Goal) {
        match node {
            Node::Constant(holds) => self.steps.push(Step::Constant {
                holds: *holds,
                into,
            }),
            Node::Codes(leaf) => self.steps.push(Step::Codes {
                leaf: leaf.clone(),
                into,
            }),
            Node::Derived { column, negated } => {
                self.steps.push(Step::Derived {
                    column: *column,
                    negated: *negated,
                    into,
                });
            }
            Node::Filled { list, negated } => self.steps.push(Step::Filled {
                list: *list,
                negated: *negated,
                into,
            }),
            Node::All(nodes) if into.how == How::And => self.add_each(source, nodes, into),
            Node::Any(nodes) if into.how == How::Or => self.add_each(source, nodes, into),
            Node::All(nodes) => {
                let skip = self.skip(into);
                let inner = Goal {
                    register: self.below(into),
                    how: How::And,
                    within: None,
                    ..into
                };
                let elements = into.elements;
                self.steps.push(Step::Begin {
                    register: inner.register,
                    undecided: Some(into),
                    elements,
                });
                self.add_each(source, nodes, inner);
                self.steps.push(Step::Merge {
                    from: inner.register,
                    into,
                });
                self.land(skip);
            }
            Node::Any(nodes) => {
                let skip = self.skip(into);
                let within = Some(into.register);
                let inner = Goal {
                    register: self.below(into),
                    how: How::Or,
                    within,
                    ..into
                };
                self.steps.push(Step::Begin {
                    register: inner.register,
                    undecided: None,
                    elements: into.elements,
                });
                self.add_each(source, nodes, inner);
                self.steps.push(Step::Merge {
                    from: inner.register,
                    into,
                });
                self.land(skip);
            }
            Node::Some {
                list,
                node,
                negated,
            } => {
                let skip = self.skip(into);
                let few = self.steps.len();
                self.steps.push(Step::Few {
                    list: *list,
                    node: Node::clone(node),
                    negated: *negated,
                    into,
                    cost: Cost::of(source, *list, node),
                    to: 0,
                });
                let register = self.below(into);
                self.steps.push(Step::Elements {
                    register,
                    list: *list,
                });
                let inner = Goal {
                    register,
                    how: How::And,
                    within: None,
                    elements: Some(*list),
                };
                self.add(source, node, inner);
                self.steps.push(Step::Fold {
                    from: register,
                    list: *list,
                    negated: *negated,
                    into,
                });
                self.land(few);
                self.land(skip);
            }
        }
    }

    fn add_each(&mut self, source: &impl Source, nodes: &[Node], into: Goal) {
        for node in nodes {
            self.add(source, node, into);
        }
    }

    /// A register below another one.
    fn below(&mut self, into: Goal) -> usize {
        let register = into.register + 1;
        if self.registers.len() <= register {
            self.registers.resize_with(register + 1, Vec::new);
        }
        register
    }

    fn skip(&mut self, into: Goal) -> usize {
        self.steps.push(Step::Decided { into, to: 0 });
        self.steps.len() - 1
    }

    /// Lets a jump end here.
    fn land(&mut self, jump: usize) {
        let here = self.steps.len();
        if let Some(Step::Decided { to, .. } | Step::Few { to, .. }) = self.steps.get_mut(jump) {
            *to = here;
        }
    }

    /// Does the next step on a chunk; says whether it was the last one. After that the next one is the first again.
    pub(super) fn advance(&mut self, source: &impl Source, chunk: usize) -> bool {
        if let Some(step) = self.steps.get(self.next) {
            let mut registers = Registers {
                all: &mut self.registers,
                source,
                chunk,
            };
            self.next = registers.run(step).unwrap_or(self.next + 1);
        }
        if self.next >= self.steps.len() {
            self.next = 0;
            return true;
        }
        false
    }
}

impl Cost {
    fn of(source: &impl Source, list: ListId, node: &Node) -> Self {
        let elements = elements_a_row(source, list);
        let (each, _) = node.estimate(source);
        Self {
            chunk: (each + cost::FOLD_AN_ELEMENT) * elements * f64::from(CHUNK_ROWS),
            row: cost::FIND_A_ROW
                + (cost::FAR_LOOK + cost::NEAR_LOOK * elements) * leaves(node) as f64,
        }
    }

    /// What it costs to find the elements of a row, for all rows of a chunk.
    pub(super) fn walk(words: usize) -> f64 {
        (words + ROW_WORDS) as f64 * cost::WALK_A_WORD
    }
}

fn leaves(node: &Node) -> usize {
    match node {
        Node::Constant(_) | Node::Codes(_) | Node::Derived { .. } | Node::Filled { .. } => 1,
        Node::All(nodes) | Node::Any(nodes) => nodes.iter().map(leaves).sum(),
        Node::Some { node, .. } => leaves(node),
    }
}
