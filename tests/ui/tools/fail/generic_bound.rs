// A bound is in the schema, which is made once.
use haft::tools;

struct Cells<const N: usize>;

#[tools]
impl<const N: usize> Cells<N> {
    /// How many there are.
    #[tool]
    async fn size(&self, #[arg(max = N)] most: usize) -> usize {
        N.min(most)
    }
}

fn main() {}
