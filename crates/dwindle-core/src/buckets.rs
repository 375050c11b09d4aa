//! Numbers in buckets: one flat vector, one bucket behind the other.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// The numbers from 0 on, each in one bucket at most. Within a bucket they ascend.
#[derive(Clone, Debug)]
pub(crate) struct Buckets {
    members: Vec<u32>,
    /// Where each bucket starts; one more than there are buckets.
    starts: Vec<u32>,
}

impl Buckets {
    /// So many buckets, by the bucket of each number.
    pub(crate) fn new(buckets: usize, bucket_of: impl Iterator<Item = Option<u32>> + Clone) -> Self {
        let mut starts = vec![0; buckets + 1];
        bucket_of.clone().flatten().for_each(|bucket| starts[bucket as usize + 1] += 1);
        (1..=buckets).for_each(|bucket| starts[bucket] += starts[bucket - 1]);
        let mut members = vec![0; starts[buckets] as usize];
        let mut next = starts.clone();
        for (number, bucket) in (0..).zip(bucket_of) {
            if let Some(bucket) = bucket {
                let next = &mut next[bucket as usize];
                members[*next as usize] = number;
                *next += 1;
            }
        }
        Self { members, starts }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The numbers in a bucket.
    pub(crate) fn of(&self, bucket: usize) -> &[u32] {
        &self.members[self.range(bucket)]
    }

    /// Where these are among [all](Self::all).
    pub(crate) fn range(&self, bucket: usize) -> Range<usize> {
        self.starts[bucket] as usize..self.starts[bucket + 1] as usize
    }

    /// The numbers that are in a bucket, bucket by bucket.
    pub(crate) fn all(&self) -> &[u32] {
        &self.members
    }
}
