using System.Text;
using PerfCommon.Sessions;
using Xunit;

namespace PerfCommon.Tests.Sessions;

public class ItemNameIndexTests
{
    private const int Many = 100_000;

    private readonly ItemNameIndex _index = new();

    [Fact]
    public void Find_ManySimilarNames_FindsEachAndNothingElse()
    {
        for (int slot = 0; slot < Many; slot++)
            _index.Add(slot, Name(slot));

        Assert.Equal(Many, _index.Count);
        for (int slot = 0; slot < Many; slot++)
            Assert.Equal(slot, _index.Find(Name(slot)));
        Assert.Equal(-1, _index.Find(Name(Many)));
        Assert.Equal(-1, _index.Find(default));
        Assert.Equal(Name(777), _index.NameOf(777));
    }

    [Fact]
    public void Remove_EveryOther_KeepsTheRest()
    {
        for (int slot = 0; slot < 10_000; slot++)
            _index.Add(slot, Name(slot));
        for (int slot = 0; slot < 10_000; slot += 2)
            _index.Remove(slot);

        Assert.Equal(5_000, _index.Count);
        for (int slot = 0; slot < 10_000; slot++)
            Assert.Equal(slot % 2 == 0 ? -1 : slot, _index.Find(Name(slot)));
    }

    [Fact]
    public void Add_AfterRemove_TheSlotTakesAnotherName()
    {
        _index.Add(0, "short"u8);
        _index.Add(1, "neighbour"u8);
        _index.Remove(0);
        byte[] longest = Encoding.ASCII.GetBytes(new string('x', 255));
        _index.Add(0, longest);

        Assert.Equal(-1, _index.Find("short"u8));
        Assert.Equal(0, _index.Find(longest));
        Assert.Equal(1, _index.Find("neighbour"u8));
        Assert.Throws<ArgumentOutOfRangeException>(() => _index.Add(2, new byte[256]));
    }

    /// <summary>A slot has room for a name where adding it takes no memory.</summary>
    [Fact]
    public void HasRoom_OfEachLength_IsTrueWhereAddingTakesNothing()
    {
        Assert.False(_index.HasRoom(0, 1)); // not used before
        for (int bytes = 1; bytes <= 255; bytes++)
        {
            ItemNameIndex index = new();
            index.Add(0, Encoding.ASCII.GetBytes(new string('x', 60)));
            index.Remove(0);
            bool hasRoom = index.HasRoom(0, bytes);
            long before = index.KeptBytes;
            index.Add(0, Encoding.ASCII.GetBytes(new string('y', bytes)));
            Assert.Equal((bytes, index.KeptBytes == before), (bytes, hasRoom));
        }
    }

    [Fact]
    public void Find_NamesOfTwoKinds_TellsThem()
    {
        byte[] longer = Name(int.MaxValue - 1).Concat(Name(1)).ToArray();
        _index.Add(0, "A"u8, kind: 1);
        _index.Add(1, longer, kind: 1);
        Assert.Equal((-1, -1), (_index.Find("A"u8), _index.Find(longer)));

        _index.Add(2, "A"u8);
        _index.Add(3, longer);
        Assert.Equal((0, 2, 1, 3), (_index.Find("A"u8, kind: 1), _index.Find("A"u8), _index.Find(longer, kind: 1), _index.Find(longer)));
    }

    // More slots than chains, so that names of others are between those that are looked for.
    [Fact]
    public void FindNext_NameThatIsThereSeveralTimes_IsEachOfItsKindAndNothingElse()
    {
        for (int slot = 0; slot < 1_000; slot++)
            _index.Add(slot, Name(slot % 10 == 0 ? 0 : slot), (byte)(slot % 20 == 0 ? 1 : 0));
        foreach (byte kind in (byte[])[0, 1])
        {
            List<int> found = [];
            for (int slot = _index.Find(Name(0), kind); slot >= 0; slot = _index.FindNext(slot))
                found.Add(slot);
            Assert.Equal(Enumerable.Range(0, 50).Select(i => (i * 20) + (kind == 1 ? 0 : 10)), found.Order());
        }

        Assert.Equal(-1, _index.FindNext(_index.Find(Name(7))));
    }

    [Fact]
    public void Add_NamesThatStartAlike_AreTold()
    {
        byte[][] names = [[], [0], [0, 0], .. Enumerable.Range(1, 254).Select(length => new byte[length + 1])];
        for (int slot = 0; slot < names.Length; slot++)
        {
            if (_index.Find(names[slot]) < 0)
                _index.Add(slot, names[slot]);
        }

        Assert.Equal(256, _index.Count); // lengths 0 to 255
    }

    [Fact]
    public void HasRoom_ASlotThatHadALongerName_IsTrueAndKeepsNothingMore()
    {
        _index.Add(0, new byte[200]);
        _index.Remove(0);
        long kept = _index.KeptBytes;

        Assert.Equal((true, false, false), (_index.HasRoom(0, 200), _index.HasRoom(1, 1), _index.HasRoom(1_000_000, 1)));
        _index.Add(0, new byte[200]);
        Assert.Equal(kept, _index.KeptBytes);
    }

    [Fact]
    public void Add_AMillionNames_TakesTwentyFourBytesEachAndLeavesNothingBehind()
    {
        const int slots = 1 << 20;
        byte[] name = new byte[14];
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int slot = 0; slot < slots; slot++)
        {
            BitConverter.TryWriteBytes(name, slot);
            _index.Add(slot, name);
        }

        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / slots, 24, 25);
        Assert.Equal(slots - 1, _index.Find(name));
    }

    [Fact]
    public void Remove_NotThere_Throws()
    {
        Assert.Throws<InvalidOperationException>(() => _index.Remove(1_000));
        _index.Add(3, "a"u8);
        _index.Remove(3);
        Assert.Throws<InvalidOperationException>(() => _index.Remove(3));
    }

    [Fact]
    public void AddAndRemove_Random_AgreesWithADictionary()
    {
        Random random = new(11);
        Dictionary<string, int> expected = [];
        for (int turn = 0; turn < 50_000; turn++)
        {
            int slot = random.Next(500);
            string name = Encoding.ASCII.GetString(Name(slot));
            if (expected.Remove(name))
                _index.Remove(slot);
            else
                Add(expected, name, slot);
            Assert.Equal(expected.GetValueOrDefault(name, -1), _index.Find(Encoding.ASCII.GetBytes(name)));
        }

        Assert.Equal(expected.Count, _index.Count);
    }

    [Fact]
    public void AddAndRemove_OnceGrown_AllocateNothing()
    {
        OpenAndClose();
        Allocation.None(() => OpenAndClose());
    }

    private void OpenAndClose()
    {
        for (int slot = 0; slot < 100; slot++)
            _index.Add(slot, "RDT1"u8[..(1 + (slot % 4))]);
        for (int slot = 0; slot < 100; slot++)
            _index.Remove(slot);
    }

    private void Add(Dictionary<string, int> expected, string name, int slot)
    {
        expected.Add(name, slot);
        _index.Add(slot, Encoding.ASCII.GetBytes(name));
    }

    private static byte[] Name(int slot) => Encoding.ASCII.GetBytes($"RDT{slot + 1}");
}
