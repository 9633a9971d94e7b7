namespace PerfHub.Consumers;

/// <summary>What becomes of a connection whose queue is full.</summary>
internal enum SlowPolicy
{
    Cut, // it is ended
    Conflate, // of each item it gets the last values, when it takes them
    Drop, // updates are left out
}
